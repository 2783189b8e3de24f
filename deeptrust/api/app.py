"""The HTTP contract: what programs may ask of DeepTrust, below /api."""

from fastapi import FastAPI

import deeptrust
from deeptrust.api import ask, documents, me, model, research, sign_in, study
from deeptrust.api.errors import register_errors

api = FastAPI(
    title="DeepTrust",
    version=deeptrust.__version__,
    # Below /api, so that they shadow no page.
    docs_url=None,
    redoc_url=None,
    openapi_url="/api/openapi.json",
)
register_errors(api)
ROUTERS = tuple(module.router for module in (documents, ask, research, model, study, me, sign_in))
"""All there is but health: what a test walks."""
for router in ROUTERS:
    api.include_router(router)


@api.get("/api/health")
async def report_health() -> dict[str, str]:
    """Answer that the server is up."""
    return {"status": "ok", "version": deeptrust.__version__}
