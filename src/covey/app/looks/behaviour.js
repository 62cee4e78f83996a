// What the browser does by itself: dropping files, keys, tips, and focus that survives an update.
(() => {
  const tell = (name, value) => window.emitEvent && emitEvent(name, value);
  const inText = (e) => e.target.closest?.('input[type="text"], input[type="number"], textarea');

  const openSpot = (spot) => tell("covey_told", { what: "spot", at: Number(spot.dataset.spot), value: "" });

  // -- focus ---------------------------------------------------------------------------
  // Parts of the page are built anew when something changes; what has the same id is the same.
  const content = () => document.querySelector(".content");
  let last = null;
  let lastPlace = null;
  document.addEventListener("focusin", (e) => {
    last = e.target.id ? e.target : null;
    lastPlace = content()?.dataset.place;
  });
  let awaited = null;  // the id of what shall have the focus as soon as it is there
  window.coveyFocus = (id) => { awaited = id; refocus(); };
  const refocus = () => {
    const expected = awaited && document.getElementById(awaited);
    if (expected) {
      awaited = null;
      const typing = document.activeElement?.matches("input, select, textarea");
      if (!typing) expected.focus({ preventScroll: true });  // somebody is at work elsewhere
      return;
    }
    if (!last || document.contains(last) || content()?.dataset.place !== lastPlace) return;
    const again = document.getElementById(last.id);
    if (again && document.activeElement === document.body) again.focus({ preventScroll: true });
  };
  // On another page the heading comes first, unless somebody is already at work on it.
  window.coveyArrive = () => {
    if (content()?.contains(document.activeElement)) return;
    window.scrollTo(0, 0);
    document.getElementById("page-title")?.focus({ preventScroll: true });
  };

  // The same holds for what was folded open or shut.
  const folds = new Map();
  document.addEventListener("toggle", (e) => {
    const summary = e.target.matches?.("details") && e.target.querySelector("summary");
    if (summary) folds.set(summary.id, e.target.open);
  }, true);
  const refold = () => {
    for (const [id, open] of folds) {
      const details = document.getElementById(id)?.closest("details");
      if (details && details.open !== open) details.open = open;
    }
  };

  // -- keys ----------------------------------------------------------------------------
  document.addEventListener("keydown", (e) => {
    const key = e.key.toLowerCase();
    if ((e.ctrlKey || e.metaKey) && !e.altKey && (key === "z" || key === "y") && !inText(e)) {
      e.preventDefault();
      tell(key === "y" || e.shiftKey ? "covey_redo" : "covey_undo");
    }
    if (e.key === "Escape") tell("covey_escape");
    const spot = e.target.closest?.("[data-spot]");
    if (spot && (e.key === "Enter" || e.key === " ")) {
      e.preventDefault();
      openSpot(spot);
    }
    const radio = e.target.closest?.('[role="radio"], [role="tab"]');
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[e.key];
    if (radio && by) {
      e.preventDefault();
      const role = `[role="${radio.getAttribute("role")}"]`;
      const all = [...radio.closest('[role="radiogroup"], [role="tablist"]').querySelectorAll(`${role}:not(:disabled)`)];
      const next = all[(all.indexOf(radio) + by + all.length) % all.length];
      next.focus();
      next.click();
    }
  });
  // Told with the id, so that it is heard even if the element is built anew meanwhile.
  const heard = (event, element, value) => tell("covey_heard", { event, id: element.id, value });
  document.addEventListener("click", (e) => {
    const pressed = e.target.closest?.('[data-hears="click"]');
    if (pressed && !pressed.disabled) heard("click", pressed, null);
    const spot = e.target.closest?.("[data-spot]");
    if (spot) openSpot(spot);
    if (e.target.closest?.("[data-choose-file]")) document.getElementById("file").click();
    const theme = e.target.closest?.("[data-theme-choice]");
    if (theme) coveyTheme.choose(theme.dataset.themeChoice);
  });
  window.addEventListener("popstate", () => tell("covey_place", location.pathname));

  // -- sliders -------------------------------------------------------------------------
  const fill = (input) => {
    const share = (input.value - input.min) / (input.max - input.min || 1);
    input.style.setProperty("--filled", `${100 * share}%`);
  };
  document.addEventListener("input", (e) => e.target.type === "range" && fill(e.target));

  // -- tips ----------------------------------------------------------------------------
  const tip = Object.assign(document.createElement("div"), { className: "tip" });
  tip.setAttribute("aria-hidden", "true");
  const place = (x, y) => {
    const box = tip.getBoundingClientRect();
    const left = x + 16 + box.width > innerWidth - 8 ? x - 16 - box.width : x + 16;
    const top = y + 16 + box.height > innerHeight - 8 ? y - 12 - box.height : y + 16;
    tip.style.left = `${Math.max(8, left)}px`;
    tip.style.top = `${Math.max(8, top)}px`;
  };
  const point = (target, x, y) => {
    for (const on of document.querySelectorAll("[data-group].on")) on.classList.remove("on");
    for (const map of document.querySelectorAll("svg.pointed")) map.classList.remove("pointed");
    tip.classList.toggle("shown", Boolean(target));
    if (!target) return;
    tip.textContent = target.dataset.tip;
    place(x, y);
    if (target.dataset.group) {
      const map = target.closest("svg");
      for (const mark of map.querySelectorAll(marksOf(target))) mark.classList.add("on");
      map.classList.add("pointed");
    }
  };
  // The records of a group, their ties and its released point have the number of the group; the
  // words are said by the point.
  const marksOf = (mark) => `[data-group="${mark.dataset.group}"]`;
  const tipped = (element) => {
    const mark = element.closest?.("[data-group]");
    if (mark) return mark.closest("svg").querySelector(`${marksOf(mark)}[data-tip]`);
    return element.closest?.("[data-tip]") ?? null;
  };
  document.addEventListener("pointermove", (e) => {
    const target = tipped(e.target);
    if (target || tip.classList.contains("shown")) point(target, e.clientX, e.clientY);
  });
  document.addEventListener("focusin", (e) => {
    const target = e.target.closest?.("[data-tip]");
    const box = target?.getBoundingClientRect();
    if (target && target.matches(":focus-visible")) point(target, box.right, box.bottom);
    else if (tip.classList.contains("shown")) point(null);
  });
  document.addEventListener("scroll", () => point(null), { passive: true, capture: true });

  // -- files ---------------------------------------------------------------------------
  const sayDrop = (text, share) => {
    const zone = document.querySelector("[data-drop]");
    if (!zone) return;
    const line = zone.querySelector("[data-drop-says]");
    const bar = zone.querySelector("[data-drop-bar]");
    if (line) line.textContent = text;
    if (bar) {
      bar.hidden = share === null;
      bar.firstElementChild.style.width = `${100 * (share ?? 0)}%`;
    }
  };
  const size = (bytes) => (bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} KB` : `${(bytes / 1e6).toFixed(1)} MB`);
  let sending = null;
  const send = (zone, file) => {
    if (file.size > Number(zone?.dataset.most ?? Infinity)) {
      tell("covey_too_large", { name: file.name, size: file.size });
      return;
    }
    sending?.abort();
    const request = (sending = new XMLHttpRequest());
    request.open("POST", `/upload?name=${encodeURIComponent(file.name)}`);
    request.upload.onprogress = (e) =>
      sayDrop(`Copying ${file.name}: ${size(e.loaded)} of ${size(e.total)}`, e.loaded / e.total);
    request.onload = () => {
      let answer = {};
      try { answer = JSON.parse(request.responseText); } catch { /* said below */ }
      sayDrop("", null);
      if (request.status !== 200) tell("covey_refused", answer.message || "The file could not be copied. Try it again.");
    };
    request.onerror = () => {
      sayDrop("", null);
      tell("covey_refused", "The file could not be copied: the program does not answer. Is it still running?");
    };
    sayDrop(`Copying ${file.name} …`, 0);
    request.send(file);
  };
  const zoneOf = (e) => e.target.closest?.("[data-drop]") ?? document.querySelector("[data-drop]");
  const holdsFiles = (e) => [...(e.dataTransfer?.types ?? [])].includes("Files");
  document.addEventListener("dragover", (e) => {
    if (!holdsFiles(e)) return;
    e.preventDefault();
    zoneOf(e)?.classList.add("over");
  });
  document.addEventListener("dragleave", (e) => { if (!e.relatedTarget) zoneOf(e)?.classList.remove("over"); });
  document.addEventListener("drop", (e) => {
    if (!holdsFiles(e)) return;
    e.preventDefault();
    const zone = zoneOf(e);
    zone?.classList.remove("over");
    if (zone && e.dataTransfer.files.length) send(zone, e.dataTransfer.files[0]);
  });
  document.addEventListener("change", (e) => {
    const { hears, tells } = e.target.dataset ?? {};
    if (hears === "change")
      heard("change", e.target, e.target.type === "checkbox" ? e.target.checked : e.target.value);
    if (tells) tell("covey_told", { what: tells, at: Number(e.target.dataset.at), value: e.target.value });
    if (e.target.id !== "file" || !e.target.files.length) return;
    send(zoneOf(e), e.target.files[0]);
    e.target.value = "";
  });

  // -- what is built anew --------------------------------------------------------------
  const settle = () => {
    refold();
    refocus();
    coveyTheme.apply();
    for (const input of document.querySelectorAll('input[type="range"]')) fill(input);
  };
  document.addEventListener("DOMContentLoaded", () => {
    document.body.classList.add("covey");
    document.body.append(tip);
    new MutationObserver(settle).observe(document.getElementById("app"), { childList: true, subtree: true });
    settle();
  });
})();
