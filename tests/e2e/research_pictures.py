"""Photographs an approved run, from the composer to the report: part of `make screenshots`."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.e2e.workspace import ask, gate, last_turn, research, wait_for_end

PLANNING_MILLISECONDS = 240_000
Camera = Callable[[str], None]


def photograph_research(page: Page, snap: Camera) -> None:
    """Take a plan through editing to a report, then a run without findings and a rejected one."""
    _plan(page, snap)
    _decisions(page, snap)


def _plan(page: Page, snap: Camera) -> None:
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Research", exact=True).click()
    snap("13-research-composer")
    ask(page, "Does a home battery work in a power cut, and when does it pay?")
    snap("14-planning")
    card = gate(page, PLANNING_MILLISECONDS)
    snap("15-waiting")
    card.locator("summary").click()
    snap("16-rules")
    card.get_by_role("button", name="Edit").click()
    card.get_by_role("textbox", name="Why").last.fill("no")
    card.get_by_role("button", name="Save plan").click()
    expect(card.locator(".notice")).to_be_visible()
    snap("17-editing")
    card.get_by_role("button", name="Cancel").click()
    if page.get_by_role("button", name="Open the menu").is_visible():
        page.get_by_role("button", name="Open the menu").click()
        snap("18-list-waiting")
        page.keyboard.press("Escape")
        page.wait_for_timeout(300)


def _decisions(page: Page, snap: Camera) -> None:
    gate(page).get_by_role("button", name="Approve plan").click()
    expect(last_turn(page)).to_have_attribute("data-phase", "executing")
    snap("19-executing")
    wait_for_end(page)
    snap("20-report")
    research(page, "What is the boiling point of tungsten?")
    gate(page, PLANNING_MILLISECONDS).get_by_role("button", name="Approve plan").click()
    wait_for_end(page, "nothing_found")
    snap("21-no-findings")
    research(page, "How long is the notice period?")
    gate(page, PLANNING_MILLISECONDS).get_by_role("button", name="Reject…").click()
    snap("22-reject")
    page.get_by_role("button", name="Reject plan").click()
    wait_for_end(page, "rejected")
    snap("23-rejected")
    if page.get_by_role("button", name="Sources and evidence").is_visible():
        page.get_by_role("button", name="Sources and evidence").click()
    page.get_by_role("tab", name="Plan").click()
    snap("24-plan-tab")
