"""The users of a home. In local mode there is one, made at the first start."""

from deeptrust.database import users
from deeptrust.database.engine import Database


async def find_local_user(database: Database) -> str:
    """Return the id (32 hexadecimal digits) of the one user of local mode."""
    return await database.run(users.local_user)
