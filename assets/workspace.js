// What the page does without asking its server: keys, dialogs, sheet and drawer, tips, scrolling.
// It works on attributes (data-opens, data-list, ...), never on text, and keeps no state beyond the document's.
(() => {
  const root = document.documentElement;

  // Before the first paint, so that a dark room stays dark.
  const chosen = localStorage.getItem("theme");
  const isDark = chosen === "dark" || (chosen !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  root.classList.toggle("dark", isDark);

  const byId = (id) => document.getElementById(id);
  const isTyping = (element) => element?.matches?.("input, textarea, select, [contenteditable]");

  // Sheet and drawer: `name` is "panel" or "drawer".
  const part = { panel: "panel", drawer: "rail" };
  const isAside = (name) => matchMedia(name === "panel" ? "(max-width: 1023px)" : "(max-width: 767px)").matches;
  let returnFocus = null;
  const open = (name, opener, target) => {
    if (!isAside(name)) return;
    returnFocus = opener;
    root.dataset[name] = "open";
    requestAnimationFrame(() => (target ?? byId(part[name]).querySelector("button, [href], [tabindex='0']"))?.focus());
  };
  const close = (name) => {
    if (root.dataset[name] !== "open") return false;
    delete root.dataset[name];
    returnFocus?.focus?.();
    return true;
  };

  document.addEventListener("click", (event) => {
    const at = (attribute) => event.target.closest?.(`[${attribute}]`);
    keeper = at("data-keeps-focus");
    const opener = at("data-opens");
    if (opener) byId(opener.dataset.opens)?.showModal();
    if (at("data-closes-dialog") || event.target.matches?.("dialog:not([data-modal])")) event.target.closest("dialog").close();
    if (at("data-closes-drawer")) close("drawer");
    if (at("data-closes-panel")) close("panel");
    if (at("data-opens-drawer")) open("drawer", at("data-opens-drawer"));
    if (at("data-opens-panel")) open("panel", at("data-opens-panel"));
    if (event.target.closest?.(".veil")) close("panel") || close("drawer");
    const pointer = at("data-shows");
    if (pointer) (event.preventDefault(), byId(pointer.dataset.shows.slice(1))?.focus());
    const speaker = at("data-says");
    if (speaker) say(speaker, speaker.dataset.says);
  });

  // A row that moves takes its button out of the page for a moment, and a decision takes the whole card away.
  let keeper = null;
  let gate = null;
  const keepFocus = () => {
    if (keeper?.isConnected && document.activeElement === document.body)
      (keeper.disabled ? keeper.parentElement.querySelector("button:enabled") : keeper).focus();
    const now = byId("gate");
    if (now === gate) return;
    const isLost = gate && document.activeElement === document.body;
    gate = now;
    isFollowing = true;
    if (gate) gate.focus({ preventScroll: true });
    else if (isLost) [...document.querySelectorAll(".turn article")].at(-1)?.focus({ preventScroll: true });
  };

  // A row that asks back, or is edited in its place (data-row), swaps its buttons: the focus stays in the row, or,
  // where the row itself is gone, in the part of the page that it stood in.
  let focused = null;
  document.addEventListener("focusin", ({ target }) => {
    const row = target.closest("[data-row]");
    focused = row && { target, row, part: row.parentElement.closest("[tabindex]") };
  });
  const keepInRow = () => {
    if (!focused || focused.target.isConnected || document.activeElement !== document.body) return;
    const { row, part } = focused;
    (row.isConnected ? row.querySelector("button:enabled") : part)?.focus({ preventScroll: true });
  };

  const say = (button, word) => {
    const before = button.textContent;
    if (before === word) return;
    button.textContent = word;
    setTimeout(() => (button.textContent = before), 1500);
  };

  // Keys
  const moveInList = (event) => {
    const list = event.target.closest?.("[data-list]");
    const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    if (!list || !step || isTyping(event.target)) return;
    // A button beside an item (data-beside) is reached by Tab, so that arrows go from item to item.
    const items = [...list.querySelectorAll("button:not([data-beside]), a[href]")];
    const here = event.target.matches("[data-beside]") ? event.target.previousElementSibling : event.target;
    const next = items[(items.indexOf(here) + step + items.length) % items.length];
    event.preventDefault();
    next?.focus();
    if (list.dataset.list === "tabs" || list.getAttribute("role") === "radiogroup") next?.click();
  };

  const escape = (event) => {
    if (document.querySelector("dialog[open]")) return; // the browser closes it
    const no = document.activeElement.closest("[data-row]")?.querySelector("[data-escapes]");
    if (no) return no.click();
    if (hideTip() || close("panel") || close("drawer")) return event.preventDefault();
    (document.querySelector("[data-escapes]") ?? byId("stop"))?.click();
  };

  document.addEventListener("keydown", (event) => {
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") return escape(event);
    if (event.target.id === "question" && event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      if (!byId("stop")) event.target.form.requestSubmit();
    } else if (event.key === "/" && !isTyping(event.target)) {
      event.preventDefault();
      close("drawer");
      const box = byId("question");
      box?.closest("#panel") ? open("panel", document.activeElement, box) : close("panel");
      box?.focus();
    } else if (event.key === "?" && !isTyping(event.target)) {
      if (!document.querySelector("dialog[open]")) byId("keys")?.showModal();
    } else {
      moveInList(event);
      trapFocus(event);
    }
  });

  // A dialog that the server puts (data-modal) opens by itself; Esc presses its "no", and the server takes it away.
  let asked = null;
  const ask = (dialog) => {
    const opener = document.activeElement;
    asked = { dialog, opener, list: opener?.closest("[data-list]") };
    dialog.showModal();
    dialog.querySelector("[data-declines]")?.focus();
  };
  // It is taken away, not closed, so the browser does not give the focus back; what opened it may be gone as well.
  const returnFromDialog = () => {
    if (!asked || asked.dialog.isConnected) return;
    const { opener, list } = asked;
    asked = null;
    if (document.activeElement === document.body) (opener?.isConnected ? opener : list?.querySelector("button"))?.focus();
  };
  document.addEventListener(
    "cancel",
    (event) => {
      const no = event.target.querySelector?.("[data-declines]");
      if (no) (event.preventDefault(), no.click());
    },
    true,
  );

  // An open sheet or drawer keeps the focus, as a dialog does.
  const trapFocus = (event) => {
    const name = ["panel", "drawer"].find((candidate) => root.dataset[candidate] === "open");
    if (event.key !== "Tab" || !name || !isAside(name)) return;
    const items = [...byId(part[name]).querySelectorAll("button, [href], input, textarea, summary, [tabindex='0']")];
    const visible = items.filter((item) => item.checkVisibility?.({ visibilityProperty: true }) ?? true);
    const [first, last] = [visible[0], visible.at(-1)];
    if (event.shiftKey && document.activeElement === first) (event.preventDefault(), last.focus());
    else if (!event.shiftKey && document.activeElement === last) (event.preventDefault(), first.focus());
  };

  // Tips of citation marks: on hover and on focus, hoverable themselves, gone with Esc.
  let tip = null;
  let leaving = 0;
  const hideTip = () => {
    const had = Boolean(tip);
    tip?.remove();
    tip = null;
    return had;
  };
  const showTip = (mark) => {
    clearTimeout(leaving);
    if (tip?.mark === mark) return;
    hideTip();
    tip = Object.assign(document.createElement("div"), { className: "tip", mark, textContent: mark.dataset.tip });
    tip.setAttribute("role", "tooltip");
    document.body.append(tip);
    const at = mark.getBoundingClientRect();
    const left = Math.min(Math.max(12, at.left - 24), innerWidth - tip.offsetWidth - 12);
    const below = at.bottom + 6;
    const top = below + tip.offsetHeight > innerHeight - 12 ? at.top - tip.offsetHeight - 6 : below;
    Object.assign(tip.style, { left: `${left}px`, top: `${top}px` });
  };
  const onMark = (event) => {
    const mark = event.target.closest?.("[data-tip]");
    if (mark) showTip(mark);
    else if (event.target === tip) clearTimeout(leaving);
    else if (tip) {
      clearTimeout(leaving);
      leaving = setTimeout(hideTip, 150);
    }
  };
  document.addEventListener("mouseover", onMark);
  document.addEventListener("focusin", onMark);
  document.addEventListener("scroll", hideTip, true);

  // Files dropped anywhere on the page go to the composer's own zone.
  const hasFiles = (event) => event.dataTransfer?.types?.includes("Files");
  document.addEventListener("dragover", (event) => {
    if (hasFiles(event)) event.preventDefault();
  });
  document.addEventListener("drop", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    if (event.target.closest?.("[data-upload]")) return;
    const input = document.querySelector("[data-upload='attach'] input[type=file]");
    if (!input) return;
    input.files = event.dataTransfer.files;
    input.dispatchEvent(new Event("change", { bubbles: true }));
  });

  // Scrolling: a new question comes to the top; its answer grows below, and the view follows
  // until the person scrolls.
  let isFollowing = true;
  const watch = (scroll) => {
    let turns = 0;
    let opened = null;
    const settle = () => {
      const all = scroll.querySelectorAll(".turn, .reply");
      if (all.length !== turns) isFollowing = true;
      turns = all.length;
      const last = [...all].at(-1);
      const form = scroll.querySelector("#gate form");
      if (form !== opened) ((opened = form), form?.scrollIntoView({ block: "nearest" }));
      if (!last || !isFollowing || form) return;
      const top = last.getBoundingClientRect().top - scroll.getBoundingClientRect().top + scroll.scrollTop - 20;
      scroll.scrollTop = Math.min(top, scroll.scrollHeight - scroll.clientHeight);
    };
    for (const kind of ["wheel", "touchmove", "pointerdown"])
      scroll.addEventListener(kind, () => (isFollowing = false), { passive: true });
    new MutationObserver(settle).observe(scroll, { childList: true, subtree: true, characterData: true });
    settle();
  };

  // Evidence comes into view with its quote, and again when its whole page is opened round it.
  const centreQuote = (panel) =>
    new MutationObserver(() => {
      const quote = byId("quote");
      const shown = quote && `${quote.textContent} ${quote.parentElement.textContent.length}`;
      if (!quote || quote.dataset.seen === shown) return;
      quote.dataset.seen = shown;
      quote.scrollIntoView({ block: "nearest" });
    }).observe(panel, { childList: true, subtree: true, characterData: true });

  // A connection that is refused may be one that was ended by a sign-out elsewhere: only then the page reloads.
  let isLooking = false;
  const lookWhyCutOff = async () => {
    if (isLooking || !byId("cut-off")) return;
    isLooking = true;
    const answer = await fetch("/ping", { cache: "no-store" }).catch(() => null);
    if (answer?.status === 401) location.reload();
    isLooking = false;
  };

  // React mounts the page later than this script runs, and may mount it again.
  const seen = new WeakSet();
  const adopt = () => {
    if (byId("signed-out")) location.reload(); // what the page still shows is not for this browser any more
    lookWhyCutOff();
    keepFocus();
    keepInRow();
    returnFromDialog();
    const scroll = byId("scroll") ?? byId("replies");
    if (scroll && !seen.has(scroll)) (seen.add(scroll), watch(scroll));
    const panel = byId("panel");
    if (panel && !seen.has(panel)) (seen.add(panel), centreQuote(panel));
    for (const dialog of document.querySelectorAll("dialog[data-modal]:not([open])")) ask(dialog);
  };
  document.addEventListener("DOMContentLoaded", () => {
    adopt();
    new MutationObserver(adopt).observe(document.body, { childList: true, subtree: true });
  });
})();
