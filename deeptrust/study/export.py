"""A pack as one zip file."""

import io
import zipfile

from deeptrust.domain.study import PrepPack

_FIXED_TIME = (1980, 1, 1, 0, 0, 0)  # the same pack gives the same bytes


def zip_pack(pack: PrepPack) -> bytes:
    """Return a zip that holds each document under its name."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for document in pack.documents:
            entry = zipfile.ZipInfo(document.name, _FIXED_TIME)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, document.markdown)
    return buffer.getvalue()
