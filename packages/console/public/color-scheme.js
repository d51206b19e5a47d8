// A separate file, because the content policy does not allow inline scripts.
(() => {
  const wanted = localStorage.getItem("mantine-color-scheme-value");
  const dark =
    wanted === "dark" || (wanted !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.setAttribute("data-mantine-color-scheme", dark ? "dark" : "light");
})();
