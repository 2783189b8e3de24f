"""Where things are, as the page calls it: one's own machine, or the server that the page comes from (K02)."""

import reflex as rx

from deeptrust.ui.state.admission import AdmissionState
from deeptrust.ui.state.model import ModelState

HERE = rx.cond(AdmissionState.is_hosted, "the server of this page", "this machine").to(str)
SEARCH_PLACE = rx.cond(ModelState.search_leaves, ", leaves ", ", on ").to(str) + HERE
