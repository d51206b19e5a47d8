// Before anything is painted. What a person has chosen in the console holds here too.
(() => {
  const wanted = localStorage.getItem("mantine-color-scheme-value");
  const dark =
    wanted === "dark" || (wanted !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.dataset.scheme = dark ? "dark" : "light";
})();
