"""What a person does on the Study pages, by the names that they see."""

from playwright.sync_api import Locator, Page, expect

ATS_QUESTION = "What ATS or assessment platform does this job use?"

# The only trace of the ATS is the host of the address; Workday is a skill here (H24, study/ats.py).
POSTING = """# Data Engineer

Company: Harbour Analytics
Location: Rotterdam, Netherlands

We build the pipelines that tell ports when ships arrive.

## Requirements
- 5+ years of experience with Python
- Experience with Kubernetes and Docker
- Experience with Workday reporting
- Strong SQL skills

## How to apply
Apply by 15 January 2027: https://boards.greenhouse.io/harbouranalytics/jobs/4411
"""
RESUME = "Jane Doe. Data engineer with 6 years of Python. Built SQL reporting on PostgreSQL. Ran services on k8s."


def open_study(page: Page) -> None:
    """Open the list and wait until it is alive."""
    page.goto("/study")
    expect(page.get_by_role("heading", name="Your jobs")).to_be_visible()
    expect(page.locator(".shimmer")).to_have_count(0)


def add_job(page: Page, posting: str = POSTING, resume: str = "") -> None:
    """Paste a posting, press Add, and wait for the page of the job."""
    open_study(page)
    page.get_by_role("textbox", name="Posting").fill(posting)
    if resume:
        page.get_by_text("Compare with your resume").click()
        page.get_by_role("textbox", name="Resume").fill(resume)
    page.get_by_role("button", name="Add job").click()
    expect(page.locator(".fact-list")).to_be_visible()
    expect(page.locator(".harness[aria-checked=true]")).to_have_count(1)


def fact(page: Page, label: str) -> Locator:
    """The line of one field."""
    return page.locator(".fact").filter(has=page.locator("dt", has_text=label))


def ask_job(page: Page, question: str = ATS_QUESTION) -> None:
    """Type a question into the panel and press Enter."""
    box = page.get_by_role("textbox", name="Your question about this job")
    box.fill(question)
    box.press("Enter")


def wait_for_reply(page: Page, phase: str = "grounded") -> Locator:
    """Wait until the latest answer has ended in `phase`, and return it."""
    reply = page.locator(".reply").last
    expect(reply).to_have_attribute("data-phase", phase)
    return reply


def choose_harness(page: Page, name: str) -> None:
    """Press a chip of the picker."""
    page.get_by_role("radio", name=name).click()
    expect(page.get_by_role("radio", name=name)).to_be_checked()
