# ruff: noqa: E501
"""Whole pages of a search engine, in several markups, written without a look at the reader.

The subject is tidal power; the sites and sentences are made up. Each layout shows the same results in its own way.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from urllib.parse import quote, urlencode

_PLACES = ("Brittany", "Fundy", "Orkney", "Anglesey", "Jiangxia", "Sihwa", "Kislaya", "Uldolmok", "Shetland", "Raz")
_TEXTS = (
    "The barrage at {place} turned its first turbine in {year} and still feeds 240 MW into the grid twice a day.",
    "Fishers of {place} and the engineers argued for {year} weeks, until the sluices were widened for the eels.",
    "How a lagoon works: water is held back at {place}, let through blades, and measured. Costs fell by 12% since {year}.",
)


@dataclass(frozen=True)
class Entry:
    title: str
    url: str
    snippet: str


def thirty_entries() -> list[Entry]:
    entries = [
        Entry(
            f"Tidal power in {place}: report no. {number + 1}",
            f"https://www.{place.lower()}-tides.example/{'report' * (number + 1)}?year={1966 + i}&lang=en",
            _TEXTS[number].format(place=place, year=1966 + i),
        )
        for number in range(3)
        for i, place in enumerate(_PLACES)
    ]
    entries[3] = Entry("Q&A <tidal> “fences” & more", "http://forum.example/a_(b)/c;d", "It paid off. But when?")
    entries[7] = Entry(
        "Why a search for eels brings no results",
        "https://duckduckgo.com/about-eels",
        "Robots count eels. No results yet.",
    )
    entries[12] = Entry(
        "潮汐発電とは", "https://ja.example/wiki/%E6%BD%AE%E6%B1%90", "潮の満ち引き を 利用 した 発電 方法 です。"
    )
    entries[20] = Entry(
        "tides.example", "https://tides.example/", "Hourly tables for 400 harbours, free to copy and print."
    )
    return entries


Ads = Sequence[Entry]
ADS = (
    Entry(
        "Cheap turbines, sent today",
        "https://shop.example/turbines?buy=1",
        "Buy a turbine before noon and have it tonight.",
    ),
    Entry(
        "Tidal holidays 2026",
        "https://trips.example/tidal",
        "Sleep above the sluice gates with breakfast and sea view.",
    ),
)

_SKIN = """<style>.x{color:red} a[href]{margin:0}</style>
<script>var next = "<a href='https://script.example/'>not a link, only text in a script</a>";</script>"""
_FOOT = """<footer><p>Made by people who like the sea and would like you to <a href="https://social.example/us">follow us</a>
on as many services as you can bear.</p></footer>"""


def _head(query: str) -> str:
    return f"""<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{escape(query)} at DuckDuckGo</title>
<link rel="icon" href="/favicon.ico"><link title="Search" rel="search" href="//duckduckgo.com/opensearch_html_v2.xml">
{_SKIN}</head><body class="body--html has-ads-allowed"><a name="top" id="top"></a>"""


def _search_form(query: str) -> str:
    return f"""<div class="header"><form name="x" id="search_form" action="/html/" method="post"><h1><a href="/html/" title="Home">Home</a></h1>
<input autocomplete="off" value="{escape(query)}" id="search_form_input" name="q" type="text"><input type="submit" value="S">
<select name="kl"><option value="">All Regions</option><option value="fr-fr">France</option></select></form>
<p>We never save what you look for. <a href="https://duckduckgo.com/privacy">Our privacy policy</a> says more about that.</p></div>"""


def _next_form(query: str) -> str:
    return f"""<div class="nav-link"><form action="/html/" method="post"><input type="submit" value="Next">
<input type="hidden" name="q" value="{escape(query)}"><input type="hidden" name="s" value="30">
<input type="hidden" name="vqd" value="4-1234567890"></form></div>"""


_RELATED = """<div class="related"><h3>Searches that other people made after this one</h3>
<ul><li><a href="/html/?q=tidal+lagoon+cost">what does a tidal lagoon cost to build</a></li>
<li><a href="/html/?q=neap+tide">what is the meaning of neap tide and spring tide</a></li></ul></div>"""


def redirect(url: str) -> str:
    """The engine's own link that leads to `url`."""
    return "//duckduckgo.com/l/?" + urlencode({"uddg": url, "rut": "9f" * 32}, quote_via=quote, safe="")


def ad_redirect(url: str) -> str:
    fields = {"ad_domain": "shop.example", "ad_provider": "bingv7aa", "ad_type": "txad", "u3": url}
    return "https://duckduckgo.com/y.js?" + urlencode(fields)


def marked(text: str) -> str:
    """The text with the words of the query in bold."""
    return escape(text).replace("grid", "<b>grid</b>").replace("lagoon", "<b>lagoon</b>")


def classic(entries: Sequence[Entry], query: str = "tidal power", ads: Ads = ADS) -> str:
    """Class names as they are known, redirect links, advertisements on top."""

    def row(entry: Entry, link: str, kind: str = "web-result") -> str:
        shown = escape(entry.url.partition("//")[2])
        return f"""<div class="result results_links results_links_deep {kind}"><div class="links_main links_deep result__body">
<h2 class="result__title"><a rel="nofollow" class="result__a" href="{escape(link)}">{escape(entry.title)}</a></h2>
<div class="result__extras"><div class="result__extras__url"><span class="result__icon"><a rel="nofollow" href="{escape(link)}">
<img class="result__icon__img" width="16" height="16" alt="" src="//icons.duckduckgo.com/ip3/x.ico"></a></span>
<a class="result__url" href="{escape(link)}"> {shown} </a></div></div>
<a class="result__snippet" href="{escape(link)}">{marked(entry.snippet)}</a><div class="clear"></div></div></div>"""

    rows = [row(ad, ad_redirect(ad.url), "result--ad result--ad--small") for ad in ads]
    rows += [row(entry, redirect(entry.url)) for entry in entries]
    return f"""{_head(query)}{_search_form(query)}<div><div class="serp__results"><div id="links" class="results">
{"".join(rows)}{_next_form(query)}</div></div></div>{_RELATED}{_FOOT}</body></html>"""


def renamed(entries: Sequence[Entry], query: str = "tidal power", ads: Ads = ADS) -> str:
    """Every class renamed, `href` before it, no headings, plain snippets, direct links to the advertisers."""

    def row(entry: Entry, link: str, badge: str = "") -> str:
        return f"""<div data-n="1" class="q7"><div class="q8"><a href='{escape(link)}' class='q9' rel=nofollow>{escape(entry.title)}</a>{badge}</div>
<div class="w1"><span>{escape(entry.url.partition("//")[2])}</span></div><div class="w2">{marked(entry.snippet)}</div></div>"""

    rows = [row(ad, ad.url, "<span class=k>Ad</span>") for ad in ads] + [row(e, redirect(e.url)) for e in entries]
    rows.insert(2, rows.pop(0))
    return f"""{_head(query)}{_search_form(query)}<div class="q1"><div class="q2">{"".join(rows)}</div>{_next_form(query)}</div>
{_RELATED}{_FOOT}</body></html>"""


def cards(entries: Sequence[Entry], query: str = "tidal power", ads: Ads = ADS) -> str:
    """One link round a whole card, in an ordered list; direct links; advertisements in a container of their own."""

    def row(entry: Entry) -> str:
        link = redirect(entry.url) if "duckduckgo.com" in entry.url else entry.url
        return f"""<li><article><a href="{escape(link)}"><h3>{escape(entry.title)}</h3>
<cite>{escape(entry.url)}</cite><p>{marked(entry.snippet)}</p></a></article></li>"""

    return f"""{_head(query)}<header>{_search_form(query)}</header><main><section class="page-ads">{"".join(map(row, ads))}</section>
<ol>{"".join(map(row, entries))}</ol>{_next_form(query)}</main>{_RELATED}{_FOOT}</body></html>"""


def definitions(entries: Sequence[Entry], query: str = "tidal power", ads: Ads = ADS) -> str:
    """A definition list: title and text are beside each other, in nothing of their own."""
    rows = [
        f'<dt><a href="{escape(ad_redirect(ad.url))}">{escape(ad.title)}</a></dt><dd>{ad.snippet}</dd>' for ad in ads
    ]
    rows += [
        f'<dt><h4><a href="{escape(redirect(entry.url))}">{escape(entry.title)}</a></h4></dt><dd>{marked(entry.snippet)}</dd>'
        for entry in entries
    ]
    return (
        f"{_head(query)}{_search_form(query)}<dl>{''.join(rows)}</dl>{_next_form(query)}{_RELATED}{_FOOT}</body></html>"
    )


LAYOUTS: dict[str, Callable[[Sequence[Entry]], str]] = {
    "classic": classic,
    "renamed": renamed,
    "cards": cards,
    "definitions": definitions,
}


def nothing_found(query: str = "qwxz vbnm") -> str:
    return f"""{_head(query)}{_search_form(query)}<div id="links" class="results"><div class="result result--no-result">
<div class="links_main"><span class="no-results">No results found for <b>{escape(query)}</b>.</span>
<p>Try fewer words, or check how they are spelled.</p></div></div></div>{_RELATED}{_FOOT}</body></html>"""


def challenge(query: str = "tidal power") -> str:
    """A page that asks to pick ducks, with status 200 or 202."""
    tiles = "".join(f'<img class="anomaly-modal__image" src="/assets/{n}.jpg" alt="">' for n in range(9))
    return f"""{_head(query)}{_search_form(query)}<form id="challenge-form" action="//duckduckgo.com/anomaly.js?sv=html" method="POST">
<div class="anomaly-modal__mask"><div class="anomaly-modal__modal"><div class="anomaly-modal__title">Unfortunately, bots use DuckDuckGo too.</div>
<div class="anomaly-modal__description">Please complete the following to confirm this search was made by a human.</div>
{tiles}<p>Select all squares with a duck. <a href="https://duckduckgo.com/help">Help</a></p></div></div></form>{_FOOT}</body></html>"""


def robot_wall() -> str:
    """The same in plain words, from a proxy in between that knows none of the marks."""
    return f"""<html><head><title>One moment</title></head><body><h1>Are you a robot?</h1>
<p>We saw unusual traffic from your network. See <a href="https://help.example/why">why this happens</a>.</p>{_FOOT}</body></html>"""


def hotel_login() -> str:
    """What a captive portal answers to everything: titles, texts and links, but no search."""
    return f"""<html><head><title>Welcome</title></head><body><h2><a href="https://hotel.example/login">Log in to our network</a></h2>
<p>Enter the number of your room and your name to go on.</p><h2><a href="https://hotel.example/bar">The bar is open</a></h2>
<p>Happy hour from five to seven, every day but Monday.</p>{_FOOT}</body></html>"""


def unreadable(entries: Sequence[Entry], query: str = "tidal power") -> str:
    """A long page whose results are drawn by a script: nothing to read, yet surely not empty."""
    rows = "".join(
        f"<div class='r' data-u='{escape(e.url)}'>{escape(e.title)} {marked(e.snippet)}</div>" for e in entries
    )
    return f"{_head(query)}{_search_form(query)}<div id='react-layout'>{rows}</div>{_RELATED}{_FOOT}</body></html>"
