"""The Reflex app object: pages, API, front door and the life of the services."""

from functools import partial
from pathlib import Path

import reflex as rx

from deeptrust.api.app import api
from deeptrust.api.content_policy import write_content_policy
from deeptrust.api.front_door import FrontDoor
from deeptrust.composition import open_services
from deeptrust.settings import load_settings
from deeptrust.ui.pages import add_pages
from deeptrust.ui.state.admission import AdmissionCheck
from deeptrust.ui.state.event_shape import ShapeCheck

BUNDLE = Path(".web/build/client")

settings = load_settings()

app = rx.App(
    api_transformer=[
        api,
        partial(
            FrontDoor,
            settings=settings,
            content_policy=write_content_policy(BUNDLE, inside_iframe=settings.inside_iframe),
        ),
    ],
)
app.add_middleware(ShapeCheck(), index=0)
app.add_middleware(AdmissionCheck(), index=0)
app.register_lifespan_task(open_services, settings=settings)
add_pages(app)
