"""The Reflex app object: pages, API, front door and the life of the services."""

from functools import partial
from pathlib import Path

import reflex as rx

from deeptrust.api.app import api
from deeptrust.api.content_policy import write_content_policy
from deeptrust.api.front_door import FrontDoor
from deeptrust.services import open_services
from deeptrust.settings import load_settings
from deeptrust.ui.pages import add_pages

BUNDLE = Path(".web/build/client")
_FORM_BYTES = 1024 * 1024  # what a request may carry round a document

settings = load_settings()

app = rx.App(
    api_transformer=[
        api,
        partial(
            FrontDoor,
            hosts=settings.hosts,
            origins=settings.origins,
            max_body_bytes=settings.max_document_bytes + _FORM_BYTES,
            content_policy=write_content_policy(BUNDLE),
        ),
    ],
)
app.register_lifespan_task(open_services, settings=settings)
add_pages(app)
