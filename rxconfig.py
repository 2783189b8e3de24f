"""How Reflex compiles and serves the page; read by Reflex from the project's folder."""

import reflex as rx
from reflex.plugins import Plugin, SitemapPlugin

from deeptrust.settings import load_settings

_ANCHOR = "  return endpoint;\n};"
_SAME_ADDRESS = """  if (typeof window !== "undefined") {
    const secure = window.location.protocol === "https:" ? "s" : "";
    endpoint.protocol = endpoint.protocol.replace(/^(ws|http)s?:$/, `$1${secure}:`);
    endpoint.hostname = window.location.hostname;
    endpoint.port = window.location.port;
  }
"""


class SameAddressPlugin(Plugin):
    """Lets one bundle be served on any host and port.

    Reflex writes the address of the build into the bundle; a page served elsewhere could not find its server.
    """

    def pre_compile(self, **context):
        """Make the client speak to the address that its page came from."""
        context["add_modify_task"]("utils/state.js", speak_to_own_address)


def speak_to_own_address(source: str) -> str:
    """Return `source`, Reflex's state.js, with `getBackendURL` ending in the page's own address."""
    if _SAME_ADDRESS in source:
        return source
    if source.count(_ANCHOR) != 1:
        raise RuntimeError("This release of Reflex has another getBackendURL: SameAddressPlugin must follow.")
    return source.replace(_ANCHOR, _SAME_ADDRESS + _ANCHOR)


settings = load_settings()

config = rx.Config(
    app_name="deeptrust",
    app_module_import="deeptrust.deeptrust",
    backend_host=settings.host,
    frontend_port=settings.port,
    backend_port=settings.port,
    api_url=settings.origins[0],
    deploy_url=settings.origins[0],
    cors_allowed_origins=settings.origins,
    # The disk manager would pickle the cookie of each visitor in clear.
    state_manager_mode=rx.constants.StateManagerMode.MEMORY,
    telemetry_enabled=False,
    show_built_with_reflex=False,
    plugins=[SameAddressPlugin()],
    disable_plugins=[SitemapPlugin],
)
