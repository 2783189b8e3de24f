"""The name of a tab stands in an address; whoever reads it there gains nothing (AUT-03)."""

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
