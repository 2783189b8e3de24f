"""Whose request is this? The one place that knows; see the room's docstring."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from deeptrust.database import sessions
from deeptrust.database.engine import Database
from deeptrust.database.sessions import KnownSession
from deeptrust.errors import NotAdmitted
from deeptrust.identity.bucket import Bucket
from deeptrust.identity.password import Password
from deeptrust.identity.presence import Presences
from deeptrust.identity.secrets import SecretMint, digest, make_token

EVENTS_AT_ONCE = 400
EVENTS_PER_SECOND = 40.0
"""More than a person can do, key by key and click by click, and little for the server."""
_SEEN_STEP = timedelta(hours=1)
_UNKNOWN = "This browser is not known here, or not any longer. Reload the page."


class Admission:
    """Sessions and tokens of all users. What was looked up once stays in memory: an event costs no query."""

    def __init__(
        self, database: Database, mint: SecretMint, *, everybody: str | None, password: Password | None
    ) -> None:
        """Watch the doors of one home.

        Args:
            database: where sessions and tokens are kept.
            mint: makes and recognises the secrets of cookies.
            everybody: the user that every browser stands for (local mode), or None if each is a user of its own.
            password: what a browser must have given, if there is one.
        """
        self._database = database
        self._mint = mint
        self._everybody = everybody
        self._password = password
        self._known: dict[str, KnownSession] = {}
        self.presences = Presences()
        self.events = Bucket(EVENTS_AT_ONCE, EVENTS_PER_SECOND)

    @property
    def has_password(self) -> bool:
        """Whether a browser must sign in."""
        return self._password is not None

    def make_secret(self) -> str:
        """Return a secret for a browser that has none; it costs nothing until it is used."""
        return self._mint.make()

    async def is_good(self, secret: str) -> bool:
        """Whether the browser may keep this secret: this home made it, and it was not revoked.

        Raises:
            StoreUnavailable: the database cannot be read.
        """
        if not self._mint.is_genuine(secret):
            return False
        key = digest(secret)
        known = self._known.get(key) or await self._database.run(lambda session: sessions.find_session(session, key))
        return known is None or not known.is_revoked

    def owner(self, secret: str) -> str:
        """Return the user behind the secret of an open connection, from memory alone.

        Raises:
            NotAdmitted: the secret never entered, was revoked, or has to sign in again.
        """
        return self._admit(self._known.get(digest(secret)))

    async def enter(self, secret: str) -> str:
        """Return the user behind the secret; the first use of a secret that this home made creates them.

        Raises:
            NotAdmitted: this home did not make the secret, it was revoked, or it has to sign in.
            StoreUnavailable: the database cannot be read.
        """
        if not self._mint.is_genuine(secret):
            raise NotAdmitted(_UNKNOWN)
        key = digest(secret)
        if key not in self._known:
            found = await self._look_up(key)
            if found is not None:
                self._known.setdefault(key, found)  # a revocation of the same moment wins
        owner = self._admit(self._known.get(key))
        await self._note_seen(key)
        return owner

    async def sign_in(self, secret: str, attempt: str) -> str | None:
        """Return a new secret for the browser if the password is right, else None. Its user stays who they were."""
        if self._password is None or not await self._password.matches(attempt):
            return None
        return await self._renew(secret, self._password.version)

    async def sign_out(self, secret: str) -> str:
        """Revoke the browser's secret and return one that stands for the same user once it has signed in again."""
        return await self._renew(secret, "")

    async def sign_out_everywhere(self, owner: str, but: str = "") -> None:
        """Revoke every session of a user except the one of the secret `but`; each is refused on its next event."""
        spared = digest(but)
        await self._database.run(lambda session: sessions.revoke_sessions_of(session, owner, spared))
        for key, known in self._known.items():  # also one whose row is gone
            if known.owner == owner and key != spared:
                self._revoke(key)

    async def start_anew(self, owner: str) -> str:
        """After the data of `owner` was deleted: revoke what they were known by; return a secret for a new start.

        A browser that had given the password need not give it again.
        """
        await self.sign_out_everywhere(owner)
        await self.revoke_token(owner)
        return await self._renew("", self._password.version if self._password else "")

    async def make_token(self, owner: str) -> str:
        """Return a token for the user's programs, to be shown once; a former one is worthless from now on."""
        token = make_token()
        former = await self._database.run(lambda session: sessions.put_token(session, owner, digest(token)))
        self.presences.end(former)
        return token

    async def revoke_token(self, owner: str) -> None:
        """Make the user's token worthless, if they have one."""
        self.presences.end(await self._database.run(lambda session: sessions.delete_token(session, owner)))

    async def owner_of_token(self, token: str) -> str:
        """Return the user whose programs call with this token.

        Raises:
            NotAdmitted: it is nobody's, or was revoked.
        """
        owner = await self._database.run(lambda session: sessions.owner_of_token(session, digest(token)))
        if owner is None:
            raise NotAdmitted("This token is not known here, or was revoked. Make a new one, or read server.token.")
        return owner

    def _admit(self, known: KnownSession | None) -> str:
        if known is None or known.is_revoked:
            raise NotAdmitted(_UNKNOWN)
        if self._password is not None and known.admitted_by != self._password.version:
            raise NotAdmitted("Sign in first.")
        return known.owner

    async def _look_up(self, key: str) -> KnownSession | None:
        """Who only looks at a locked door leaves no row: with a password, signing in makes it."""
        if self._password is not None:
            return await self._database.run(lambda session: sessions.find_session(session, key))
        everybody = self._everybody
        return await self._database.run(lambda session: sessions.find_or_add_session(session, key, everybody))

    async def _renew(self, secret: str, admitted_by: str) -> str:
        renewed = self._mint.make()
        old, new, everybody = digest(secret), digest(renewed), self._everybody
        self._known[new] = await self._database.run(
            lambda session: sessions.replace_session(session, old, new, everybody, admitted_by)
        )
        self._revoke(old)
        return renewed

    def _revoke(self, key: str) -> None:
        if known := self._known.get(key):
            self._known[key] = replace(known, is_revoked=True)
        self.presences.end(key)

    async def _note_seen(self, key: str) -> None:
        now = datetime.now(UTC)
        if now - self._known[key].seen_at > _SEEN_STEP:
            self._known[key] = replace(self._known[key], seen_at=now)
            await self._database.run(lambda session: sessions.touch_session(session, key))
