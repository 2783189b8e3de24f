"""Every error that a person can meet, in one tree.

    DeepTrustError                  one plain sentence that names the fix
    ├── BadInput                    the person can mend it: a question, a file, an address, a setting
    │   ├── BadSetting              an unknown or malformed DEEPTRUST_* value
    │   ├── BadQuestion             empty, or longer than the limit
    │   └── BadDocument             a file, note or address that cannot be taken in
    ├── NotAdmitted                 nobody is known behind a request, or they have to sign in again
    ├── NotFound                    no such run, document or passage, or not this person's
    ├── Conflict                    the thing exists, but not in a state that allows this
    ├── Unavailable                 a part that should be there is not
    │   ├── ModelUnavailable        chat model or embedder missing, damaged or failing
    │   ├── HarnessUnavailable      an outside server that takes prep packs is missing, silent, signed out or refuses
    │   ├── StoreUnavailable        knowledge store or database locked, damaged or full
    │   └── PortTaken               something else listens on the address
    └── Stopped                     the person pressed Stop; not a failure

Adapters translate foreign errors at the seam, so no room above one sees a library's own exception.
"""


class DeepTrustError(Exception):
    """Base of all: `str(error)` is a sentence fit for a person, without path, key or stack trace."""


class BadInput(DeepTrustError):
    """What was given cannot be used; nothing was changed."""


class BadSetting(BadInput):
    """A DEEPTRUST_* variable is unknown or does not parse."""


class BadQuestion(BadInput):
    """The question is empty or too long."""


class BadDocument(BadInput):
    """A file, note or address cannot become a document."""


class NotAdmitted(DeepTrustError):
    """Nobody is known behind the request: no cookie or token of ours, or one that is no longer good."""


class NotFound(DeepTrustError):
    """The id names nothing that this person owns."""


class Conflict(DeepTrustError):
    """The thing exists, but its state forbids what was asked."""


class Unavailable(DeepTrustError):
    """A part of the machine that should work does not."""


class ModelUnavailable(Unavailable):
    """A model file is missing or damaged, or its engine fails."""


class HarnessUnavailable(Unavailable):
    """An outside server that a harness speaks to is missing, silent, signed out, or refuses."""


class StoreUnavailable(Unavailable):
    """A store is locked by another process, damaged, or its disk is full."""


class PortTaken(Unavailable):
    """Another program listens on the wanted address."""


class Stopped(DeepTrustError):
    """Work ended because the person asked for it."""
