"""The name of a tab stands in an address; whoever reads it there gains nothing (AUT-03)."""

import pytest

from deeptrust.identity import tabs as module
from deeptrust.identity.tabs import Tabs


def test_aut_03_a_tab_name_from_a_log_opens_another_tab():
    tabs = Tabs()
    assert tabs.claim("name", "ann") == "name"
    stranger = tabs.claim("name", "eve")
    assert stranger != "name"
    assert tabs.claim("name", "eve") == stranger  # an upload finds the tab of its websocket
    assert tabs.claim("name", "ann") == "name"


def test_a_name_that_was_given_out_cannot_be_claimed():
    tabs = Tabs()
    tabs.claim("name", "ann")
    given = tabs.claim("name", "eve")
    assert tabs.claim(given, "ann") != given


def test_tabs_of_deleted_data_begin_anew():
    tabs = Tabs()
    tabs.claim("name", "ann")
    tabs.close("ann")
    assert tabs.claim("name", "ann") != "name"


def test_what_was_deleted_twice_begins_anew_twice():
    tabs = Tabs()
    seen = {tabs.claim("name", "ann")}
    for _ in range(2):
        tabs.close("ann")
        name = tabs.claim("name", "ann")
        assert tabs.claim("name", "ann") == name
        seen.add(name)
    assert len(seen) == 3


def test_names_are_forgotten_as_new_ones_come(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(module, "_MOST_TABS", 10)
    tabs = Tabs()
    for number in range(1000):
        tabs.claim(f"name {number}", "ann")
        tabs.claim(f"name {number}", "eve")
        tabs.close("ann")
    assert len(tabs) <= 10
