"""What a heading of a posting announces, in English and German."""

import re
from enum import StrEnum


class Section(StrEnum):
    """The part of a posting that a line stands in."""

    OTHER = "other"
    COMPANY = "company"
    SUMMARY = "summary"
    DUTIES = "duties"
    REQUIRED = "required"
    PREFERRED = "preferred"
    PAY = "pay"
    BENEFITS = "benefits"
    LOCATION = "location"
    EMPLOYMENT = "employment"
    INTERVIEW = "interview"
    APPLY = "apply"
    SMALL_PRINT = "small print"


# The first pattern that is found in a heading decides, so the narrow ones come first: "Travel requirement" is no
# list of requirements, and "Preferred qualifications" are not required.
_HEADINGS: tuple[tuple[Section, str], ...] = (
    (
        Section.SMALL_PRINT,
        r"travel|clearance|supervisory|accommodation|equal (?:employment )?opportunit|\beeo\b|diversity|privacy|"
        r"(?:other|more|similar|further) (?:open(?:ings?| positions)|jobs|roles|vacancies)|disclaimer|datenschutz|"
        r"chancengleichheit|legal|vielfalt|fraud|agenc(?:y|ies)",
    ),
    (
        Section.INTERVIEW,
        r"(?:interview|hiring|selection|recruit(?:ment|ing)|application) (?:process|steps?|stages?|timeline)|"
        r"^(?:our|the) process|^interviews?$|how we hire|^next steps|bewerbungsprozess|auswahlverfahren|"
        r"bewerbungsablauf|so geht es weiter|what happens (?:next|after)|^process$",
    ),
    (
        Section.APPLY,
        r"how to apply|^apply|^to apply|^applications?\b|^bewerbung|bewirbst|bewerben|^kontakt|^contact|interested\?",
    ),
    (
        Section.PREFERRED,
        r"nice[- ]to[- ]ha|preferred|^bonus|pluses|\ba plus\b|desirable|desired|extra credit|good[- ]to[- ]have|"
        r"great if|even better|wünschenswert|vorteil|pluspunkte|wäre (?:toll|super|schön)|\bbonus points|optional",
    ),
    (
        Section.EMPLOYMENT,
        r"work schedule|^terms|^hours$|(?:employment|job|contract|position) type|anstellungsart|beschäftigung|"
        r"arbeitszeit|vertragsart",
    ),
    (
        Section.PAY,
        r"^(?:the )?(?:base |annual |target )?(?:salary|pay|compensation|remuneration|gehalt|vergütung|verdienst|"
        r"wage)(?: and benefits| range| & benefits)?\b",
    ),
    (
        Section.BENEFITS,
        r"benefits|perks|what we offer|we offer|what you(?:'ll| will)? get|bieten wir|wir bieten|angebot|"
        r"why (?:join|you|us|work)|deine vorteile|what's in it",
    ),
    (
        Section.REQUIRED,
        r"requirements?\b|qualifications?\b|must[- ]ha|what (?:you|we)(?:'ll| will)? (?:need|require|expect)|"
        r"you(?:'ll| will)? bring|looking for|^who you are|^about you$|^your (?:profile|background|skills|experience)|"
        r"^you (?:have|are|must)|^you're |^skills?\b|skill set|^(?:required |relevant |minimum )?experience|"
        r"^essential|ideal "
        r"candidate|"
        r"(?:dein|ihr|das) profil|mitbring|bringst du|bringen sie|anforderung|voraussetzung|qualifikation|"
        r"wir erwarten|wen wir suchen|person specification|^minimum|^required|^key skills|^technical skills",
    ),
    (
        Section.DUTIES,
        r"responsibilit|duties|you(?:'ll| will) (?:do|be doing|work on|own)|what you do|your (?:tasks|mission|impact)|"
        r"^the work|key objectives|day[- ]to[- ]day|^tasks|aufgaben|erwartet dich|tätigkeit|in this role|das machst du",
    ),
    (
        Section.SUMMARY,
        r"(?:role|job|position) (?:summary|overview|description|purpose)|^summary|^overview|^description|"
        r"about (?:the|this) (?:role|job|position|opportunity)|stellenbeschreibung|über die stelle|^the (?:role|job)|"
        r"^your role|^position summary",
    ),
    (
        Section.LOCATION,
        r"^(?:job |work |office )?locations?|^where\b|standort|arbeitsort|dienstort|einsatzort|duty station|^workplace",
    ),
    (
        Section.COMPANY,
        r"^about\b|who we are|^our (?:company|story|mission|team|values)|über uns|wer wir sind|das sind wir|^the team|"
        r"^company|^unternehmen|meet the team|^über ",
    ),
)
_PATTERNS = tuple((section, re.compile(pattern)) for section, pattern in _HEADINGS)


def section_of(heading: str) -> Section | None:
    """Return what `heading` (without its marks) announces, or None if its words say nothing."""
    words = re.sub(r"[^\w\s'&?äöüß/-]", " ", heading.casefold().replace("’", "'"))
    words = " ".join(words.split())
    return next((section for section, pattern in _PATTERNS if pattern.search(words)), None)
