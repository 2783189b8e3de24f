"""The folder that Reflex writes to while it serves, so that the folder of the code need not be writable.

At each start Reflex touches a marker beside the bundle and creates a folder whose files it would serve to anybody. Both
come to lie in the home instead: the bundle as a link, the folder empty.
"""

import shutil
from pathlib import Path

from deeptrust.errors import StoreUnavailable


def lay_out_scratch(home: Path, web: Path) -> dict[str, str]:
    """Make `home`/serving anew for the compiled app in `web`; return the variables that send Reflex there.

    Raises:
        StoreUnavailable: the home is full or cannot be written.
    """
    scratch = home / "serving"
    shutil.rmtree(scratch, ignore_errors=True)
    build = scratch / "web" / "build"
    uploads = scratch / "uploads"
    try:
        uploads.mkdir(parents=True)
        build.parent.mkdir()
        build.symlink_to(web.absolute() / "build")
        shutil.copytree(web / "backend", scratch / "web" / "backend")
    except OSError as error:
        reason = error.strerror or "what was built is not whole"
        raise StoreUnavailable(f"{scratch} cannot be made: {reason}. Free some disk space, or build anew.") from error
    return {"REFLEX_WEB_WORKDIR": str(scratch / "web"), "REFLEX_UPLOADED_FILES_DIR": str(uploads)}
