// A file of its own, because the content policy allows no inline script.
(() => {
  const wanted = localStorage.getItem("mantine-color-scheme-value");
  const dark =
    wanted === "dark" || (wanted !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.setAttribute("data-mantine-color-scheme", dark ? "dark" : "light");
})();
