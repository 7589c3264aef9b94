// Runs before the first paint, so that a chosen theme does not flash up in the other one.
// A classic script, because modules wait until the page is read.
(() => {
  try {
    const theme = localStorage.getItem("holmgang.theme");
    if (theme === "light" || theme === "dark") document.documentElement.className = theme;
  } catch {
    // Storage can be forbidden; the device's theme is used then.
  }
})();
