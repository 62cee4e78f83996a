// Before anything is drawn: light or dark, so that nothing flashes.
(() => {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const stored = () => {
    try { return localStorage.getItem("covey-theme") || "system"; } catch { return "system"; }
  };
  const apply = () => {
    const theme = stored();
    const dark = theme === "dark" || (theme === "system" && system.matches);
    document.documentElement.toggleAttribute("data-dark", dark);
    document.documentElement.lang = "en";
    for (const button of document.querySelectorAll("[data-theme-choice]"))
      button.setAttribute("aria-checked", String(button.dataset.themeChoice === theme));
  };
  window.coveyTheme = {
    apply,
    choose(theme) {
      try { localStorage.setItem("covey-theme", theme); } catch { /* it lasts until the reload */ }
      apply();
    },
  };
  system.addEventListener("change", apply);
  apply();
})();
