"""Applicant tracking systems by the hosts of their job boards, and assessment platforms by name.

A host counts with its whole name or a label before it: `acme.wd5.myworkdayjobs.com` is Workday,
`jobs.lever.co.example.org` and the vendors' own web sites are not job boards.
"""

import re

JOB_BOARDS: dict[str, str] = {
    "myworkdayjobs.com": "Workday",
    "myworkdaysite.com": "Workday",
    "boards.greenhouse.io": "Greenhouse",
    "job-boards.greenhouse.io": "Greenhouse",
    "boards.eu.greenhouse.io": "Greenhouse",
    "job-boards.eu.greenhouse.io": "Greenhouse",
    "grnh.se": "Greenhouse",
    "jobs.lever.co": "Lever",
    "jobs.eu.lever.co": "Lever",
    "icims.com": "iCIMS",
    "taleo.net": "Taleo",
    "jobs.smartrecruiters.com": "SmartRecruiters",
    "careers.smartrecruiters.com": "SmartRecruiters",
    "jobs.ashbyhq.com": "Ashby",
    "usajobs.gov": "USAJOBS",
    "bamboohr.com": "BambooHR",
    "jobs.personio.de": "Personio",
    "jobs.personio.com": "Personio",
    "successfactors.com": "SuccessFactors",
    "successfactors.eu": "SuccessFactors",
    "sapsf.com": "SuccessFactors",
    "sapsf.eu": "SuccessFactors",
    "apply.workable.com": "Workable",
    "jobs.workable.com": "Workable",
    "teamtailor.com": "Teamtailor",
    "jobs.jobvite.com": "Jobvite",
    "recruitee.com": "Recruitee",
    "breezy.hr": "Breezy HR",
    "applytojob.com": "JazzHR",
    "oraclecloud.com": "Oracle Recruiting",
    "workforcenow.adp.com": "ADP Workforce Now",
    "recruiting.paylocity.com": "Paylocity",
    "recruiting.ultipro.com": "UKG",
    "dayforcehcm.com": "Dayforce",
    "eightfold.ai": "Eightfold",
    "pinpointhq.com": "Pinpoint",
    "join.com": "JOIN",
    "softgarden.io": "softgarden",
    "dvinci-hr.com": "d.vinci",
    "dvinci.de": "d.vinci",
    "onlyfy.jobs": "onlyfy",
    "umantis.com": "Umantis",
    "governmentjobs.com": "NEOGOV",
    "ats.rippling.com": "Rippling",
}

_VENDOR_SITES = frozenset({"www", "blog", "support", "help", "docs", "developer", "developers", "marketplace", "info"})

ATS_NAMES = tuple(sorted(set(JOB_BOARDS.values()), key=len, reverse=True))

ASSESSMENT_NAMES = (
    "HackerRank",
    "Codility",
    "CodeSignal",
    "HireVue",
    "TestGorilla",
    "Pymetrics",
    "pymetrics",
    "Karat",
    "CoderPad",
    "TestDome",
    "Criteria Corp",
    "Wonderlic",
    "Mettl",
    "iMocha",
    "DevSkiller",
    "Coderbyte",
    "HackerEarth",
    "Kira Talent",
    "Spark Hire",
    "Arctic Shores",
    "Predictive Index",
    "SHL",
    "Qualified.io",
    "Vervoe",
    "Cappfinity",
    "USA Hire",
)


def platform_of(host: str) -> str | None:
    """The applicant tracking system whose job board `host` is, or None."""
    host = host.casefold().rstrip(".")
    for board, name in JOB_BOARDS.items():
        if host == board or host.endswith("." + board):
            own = host.removesuffix(board).rstrip(".")
            is_vendor = own in _VENDOR_SITES and name != "USAJOBS"
            return None if is_vendor or (not own and board.count(".") == 1 and name not in _AT_ROOT) else name
    return None


_AT_ROOT = frozenset({"USAJOBS", "NEOGOV", "JOIN", "Greenhouse"})
"""Systems whose boards live on the bare domain; of the others it is the vendor's own site."""


def name_pattern(names: tuple[str, ...]) -> re.Pattern[str]:
    """A pattern that finds any of the names, in its own spelling: a greenhouse is no Greenhouse."""
    spelled = "|".join(re.escape(name).replace(r"\ ", r"[ ]") for name in names)
    return re.compile(rf"(?<![\w.@/-])(?P<name>{spelled})(?![\w@])")
