"""Who is let in, and for how long."""

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
from sqlmodel import select

from deeptrust.database.engine import Database
from deeptrust.database.tables import UserRow
from deeptrust.database.users import add_user, local_user
from deeptrust.errors import NotAdmitted
from deeptrust.identity.admission import Admission
from deeptrust.identity.password import Password
from deeptrust.identity.secrets import SecretMint

KEY = b"k" * 32
SALT = b"s" * 16


@pytest.fixture
async def database(tmp_path: Path) -> AsyncGenerator[Database]:
    opened = Database(tmp_path / "deeptrust.sqlite")
    await opened.open()
    yield opened
    await opened.close()


def hosted(database: Database, password: str | None = None) -> Admission:
    """As after a restart: nothing is in memory yet."""
    hashed = Password(password, SALT) if password else None
    return Admission(database, SecretMint(KEY), everybody=None, password=hashed)


async def count_users(database: Database) -> int:
    return await database.run(lambda session: len(session.exec(select(UserRow)).all()))


async def test_each_browser_is_a_user_of_its_own_and_stays_one(database: Database):
    admission = hosted(database)
    first, second = admission.make_secret(), admission.make_secret()
    owner = await admission.enter(first)
    assert await admission.enter(first) == owner == admission.owner(first)
    assert await admission.enter(second) != owner
    assert await hosted(database).enter(first) == owner


async def test_aut_15_a_user_is_a_random_id_without_a_name(database: Database):
    admission = hosted(database)
    owner = await admission.enter(admission.make_secret())
    assert len(owner) == 32
    assert int(owner, 16)


async def test_in_local_mode_every_browser_is_the_one_user(database: Database):
    local = await database.run(local_user)
    admission = Admission(database, SecretMint(KEY), everybody=local, password=None)
    assert await admission.enter(admission.make_secret()) == local
    assert await admission.enter(admission.make_secret()) == local


async def test_who_only_looks_leaves_no_row(database: Database):
    admission = hosted(database)
    before = await count_users(database)
    for _ in range(20):
        assert await admission.is_good(admission.make_secret())
    assert await count_users(database) == before


@pytest.mark.parametrize("secret", ["", "x", "a.b", "." * 50, "ünï.códe", "n" * 43 + "." + "0" * 32])
async def test_a_secret_of_ones_own_choice_is_nobody(database: Database, secret: str):
    admission = hosted(database)
    assert not await admission.is_good(secret)
    with pytest.raises(NotAdmitted):
        await admission.enter(secret)
    with pytest.raises(NotAdmitted):
        admission.owner(secret)


async def test_a_secret_of_another_home_is_nobody(database: Database):
    with pytest.raises(NotAdmitted):
        await hosted(database).enter(SecretMint(b"other" * 8).make())


async def test_an_open_connection_must_have_entered(database: Database):
    admission = hosted(database)
    with pytest.raises(NotAdmitted):
        admission.owner(admission.make_secret())


async def test_with_a_password_nobody_enters_before_it_is_given(database: Database):
    admission = hosted(database, "open sesame")
    secret = admission.make_secret()
    before = await count_users(database)
    with pytest.raises(NotAdmitted):
        await admission.enter(secret)
    assert await admission.sign_in(secret, "open says me") is None
    assert await count_users(database) == before
    renewed = await admission.sign_in(secret, "open sesame")
    assert renewed
    assert await admission.enter(renewed) == admission.owner(renewed)


async def test_signing_in_gives_a_new_secret_to_the_same_user(database: Database):
    """A secret that somebody planted in the browser before is worthless afterwards."""
    owner = await hosted(database).enter(secret := hosted(database).make_secret())
    admission = hosted(database, "open sesame")
    renewed = await admission.sign_in(secret, "open sesame")
    assert renewed
    assert renewed != secret
    assert await admission.enter(renewed) == owner
    assert not await admission.is_good(secret)


async def test_aut_01_sign_out_ends_the_session_and_keeps_the_user(database: Database):
    admission = hosted(database, "open sesame")
    secret = await admission.sign_in(admission.make_secret(), "open sesame")
    assert secret
    owner = await admission.enter(secret)
    after = await admission.sign_out(secret)
    for old in (secret, after):
        with pytest.raises(NotAdmitted):
            admission.owner(old)
        with pytest.raises(NotAdmitted):
            await hosted(database, "open sesame").enter(old)
    again = await admission.sign_in(after, "open sesame")
    assert again
    assert admission.owner(again) == owner


async def test_aut_01_another_password_voids_every_session(database: Database):
    admission = hosted(database, "first")
    secret = await admission.sign_in(admission.make_secret(), "first")
    assert secret
    assert await hosted(database, "first").enter(secret) == admission.owner(secret)
    with pytest.raises(NotAdmitted):
        await hosted(database, "second").enter(secret)


async def test_aut_01_sign_out_everywhere_reaches_the_other_browsers_at_once(database: Database):
    local = await database.run(local_user)
    admission = Admission(database, SecretMint(KEY), everybody=local, password=Password("p", SALT))
    here, there = [await admission.sign_in(admission.make_secret(), "p") for _ in range(2)]
    assert here and there
    await admission.sign_out_everywhere(local, but=here)
    assert admission.owner(here) == local
    with pytest.raises(NotAdmitted):
        admission.owner(there)


async def test_a_revoked_secret_stays_revoked_after_a_restart(database: Database):
    admission = hosted(database)
    secret = admission.make_secret()
    await admission.sign_out_everywhere(await admission.enter(secret))
    assert not await hosted(database).is_good(secret)
    with pytest.raises(NotAdmitted):
        await hosted(database).enter(secret)


async def test_start_anew_gives_a_new_user_who_need_not_sign_in_again(database: Database):
    admission = hosted(database, "p")
    secret = await admission.sign_in(admission.make_secret(), "p")
    assert secret
    owner = await admission.enter(secret)
    token = await admission.make_token(owner)
    fresh = await admission.start_anew(owner)
    assert await admission.enter(fresh) != owner
    with pytest.raises(NotAdmitted):
        admission.owner(secret)
    with pytest.raises(NotAdmitted):
        await admission.owner_of_token(token)


async def test_a_token_is_its_users_until_it_is_replaced_or_revoked(database: Database):
    admission = hosted(database)
    owner = await database.run(add_user)
    first = await admission.make_token(owner)
    assert await admission.owner_of_token(first) == owner
    second = await admission.make_token(owner)
    with pytest.raises(NotAdmitted):
        await admission.owner_of_token(first)
    assert await admission.owner_of_token(second) == owner
    await admission.revoke_token(owner)
    with pytest.raises(NotAdmitted):
        await admission.owner_of_token(second)


async def test_aut_13_no_secret_is_in_the_database(database: Database, tmp_path: Path):
    admission = hosted(database, "canary-password-7f3a")
    secret = await admission.sign_in(admission.make_secret(), "canary-password-7f3a")
    assert secret
    token = await admission.make_token(await admission.enter(secret))
    stored = b"".join(file.read_bytes() for file in tmp_path.rglob("*") if file.is_file())
    assert stored
    for canary in (secret, secret.partition(".")[0], token, "canary-password-7f3a"):
        assert canary.encode() not in stored
