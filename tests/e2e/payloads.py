"""Sixty texts that would run a script, load something or lead away if the page took them for more than text.

Each carries a token of its own (`zz07`) that must be readable on the page, so that a swallowed payload is noticed.
"""

_FOREIGN = "https://evil.test"

_TEMPLATES = (
    '<img src=x onerror="window.__x=1">#',
    "<svg onload=window.__x=1>#</svg>",
    "[#](javascript:window.__x=1)",
    "<iframe srcdoc='<script>parent.__x=1</script>'>#</iframe>",
    "![#](EVIL/a.png)",
    "<script>window.__x=1</script>#",
    "<ScRiPt src=EVIL/a.js></ScRiPt>#",
    '"><script>window.__x=1</script>#',
    "<img src='EVIL/b.png'>#",
    "<video poster=EVIL/c.png><source onerror=window.__x=1>#</video>",
    "<audio src=EVIL/d.mp3 onerror=window.__x=1>#</audio>",
    "<object data=EVIL/e.swf>#</object>",
    "<embed src=EVIL/f.swf>#",
    "<link rel=stylesheet href=EVIL/g.css>#",
    "<style>@import 'EVIL/h.css';</style>#",
    "<meta http-equiv=refresh content='0;url=EVIL/i'>#",
    "<base href=EVIL/>#",
    "<form action=EVIL/j><button autofocus onfocus=window.__x=1>#</button></form>",
    "<input autofocus onfocus=window.__x=1 value=#>",
    "<details open ontoggle=window.__x=1><summary>#</summary></details>",
    "<body onload=window.__x=1>#",
    "<marquee onstart=window.__x=1>#</marquee>",
    "<math><mi xlink:href='javascript:window.__x=1'>#</mi></math>",
    "<svg><animate onbegin=window.__x=1 attributeName=x dur=1s>#</svg>",
    "<svg><a xlink:href='javascript:window.__x=1'><text>#</text></a></svg>",
    "<svg><script>window.__x=1</script>#</svg>",
    "<template><img src=x onerror=window.__x=1>#</template>",
    "<noscript><p title='</noscript><img src=x onerror=window.__x=1>'>#",
    "<textarea></textarea><img src=x onerror=window.__x=1>#",
    "<a href='javascript:window.__x=1' id=#>#</a>",
    "<a href='EVIL/k' ping='EVIL/l'>#</a>",
    "<div style='background:url(EVIL/m.png)'>#</div>",
    "<p onmouseover=window.__x=1>#</p>",
    "<img src=x:x onerror=window.__x=1 title=#>",
    "[#](JaVaScRiPt:window.__x=1)",
    "[#](java&HASH115;cript:window.__x=1)",
    "[#](javascript&colon;window.__x=1)",
    "[#](data:text/html;base64,PHNjcmlwdD5wYXJlbnQuX194PTE8L3NjcmlwdD4=)",
    "[#](vbscript:window.__x=1)",
    "[#](EVIL/n)",
    "[#](//evil.test/o)",
    "[#](<javascript:window.__x=1>)",
    "[#](javascript:window.__x=1 'title')",
    "![#](javascript:window.__x=1)",
    "![#](EVIL/p.svg 'x')",
    "[![#](EVIL/q.png)](javascript:window.__x=1)",
    "<javascript:window.__x=1> #",
    "<EVIL/r#>",
    "[#](HASHc-forged-1)",
    "[#][zz-ref]",
    "`<img src=x onerror=window.__x=1>` #",
    "~~<img src=x onerror=window.__x=1>~~ #",
    "**<b onclick=window.__x=1>#</b>**",
    "| # | <img src=x onerror=window.__x=1> |",
    "> <iframe src=EVIL/s></iframe> #",
    "$\\href{javascript:window.__x=1}{#}$",
    "{{constructor.constructor('window.__x=1')()}}#",
    "${window.__x=1}#",
    "<!--><img src=x onerror=window.__x=1>-->#",
    "<x/onpointerrawupdate=window.__x=1>#</x>",
)


def _token(number: int) -> str:
    return f"zz{number:02}"


TOKENS = tuple(_token(number) for number in range(1, len(_TEMPLATES) + 1))
PAYLOADS = tuple(
    template.replace("#", token).replace("HASH", "#").replace("EVIL", _FOREIGN)
    for template, token in zip(_TEMPLATES, TOKENS, strict=True)
)
"""Some hold an address of `evil.test`: no request may ever go there."""

MARKDOWN = "\n\n".join(PAYLOADS) + f"\n\n[zz-ref]: {_FOREIGN}/reference\n"
"""All of them as one text of Markdown, each in a paragraph of its own."""
