"""Words that ask in one form and are answered in another: "forbid" and "prohibited", "wrote" and "written".

A small list of our own, for weighing sentences and for a second search: the check of claims uses words as they stand.
"""

from deeptrust.language.words import content_terms

_GROUPS = """
    allow allowed permit permitted permission let
    forbid forbidden forbade prohibit prohibited prohibition ban banned outlaw
    begin began begun beginning start started commence
    end ended finish finished terminate termination expire
    buy bought purchase
    sell sold sale
    price cost fee charge fare expensive dear
    build built construct construction
    make made produce produced manufacture
    create created creation
    write wrote written writer author
    die died death dead
    born birth
    marry married marriage wed wedding husband wife spouse
    win won winner victory
    lose lost loss
    lead led leader
    leave left departure depart
    choose chose chosen elect elected election
    grow grew grown growth
    rise rose risen increase increased
    fall fell fallen decrease decreased decline
    hold held
    give gave given
    take took taken
    pay paid payment
    keep kept
    send sent
    meet met meeting
    fight fought
    teach taught teacher
    speak spoke spoken speech
    sing sang sung singer
    drive drove driven driver
    tell told
    think thought
    bring brought
    catch caught
    steal stole stolen theft
    break broke broken
    choose choice
    fix fixed repair mend
    quick quickly fast soon rapidly speed
    big large great
    biggest largest greatest maximum
    small little
    smallest least minimum
    job profession occupation
    car automobile vehicle
    film movie
    invent invented inventor invention
    discover discovered discovery
    design designed designer
    punish punishment penalty fine
    get got obtain receive received
    need require required requirement necessary
    call called name named
    live lived reside resident
    kill killed murder
    doctor physician
    reason cause because
    use used usage utilize
    consist comprise contain include
    establish established found founded founder
    own owned owner
    length long
    height high tall
    weight weigh
    depth deep
    age old
    show shown demonstrate
    maintain maintained maintenance
    determine determined determination
    apply applied application applicant
    decide decided decision
    approve approved approval
    remove removed removal
    describe described description
    explain explained explanation
    assess assessed assessment
    submit submitted submission
    arrive arrived arrival
    refuse refused refusal
    renew renewed renewal
    reduce reduced reduction
    define defined definition
    exist existed existence
    repay repaid repayment
    retain retained retention
    responsible responsibility
"""


def _number_groups() -> dict[str, str]:
    heads: dict[str, str] = {}
    for line in _GROUPS.strip().splitlines():
        terms = content_terms(line)
        for term in terms:
            heads.setdefault(term, heads.get(terms[0], terms[0]))
    return heads


_HEADS = _number_groups()


def other_words(text: str) -> list[str]:
    """The words of the same senses as those of `text`, without its own; none where the list knows no word of it."""
    own, heads = set(content_terms(text)), set(sense_terms(text))
    known = (word for line in _GROUPS.strip().splitlines() for word in line.split())
    return [
        word
        for word in dict.fromkeys(known)
        if own.isdisjoint(content_terms(word)) and not heads.isdisjoint(sense_terms(word))
    ]


def sense_terms(text: str) -> list[str]:
    """Like `content_terms`, where words of one sense are one term."""
    return [_HEADS.get(term, term) for term in content_terms(text)]
