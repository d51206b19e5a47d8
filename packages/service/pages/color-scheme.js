// Before anything is painted. What a person has chosen in the console holds here too.
(() => {
  const wanted = localStorage.getItem("mantine-color-scheme-value");
  const ofSystem = matchMedia("(prefers-color-scheme: dark)");
  const paint = () => {
    const isDark = wanted === "dark" || (wanted !== "light" && ofSystem.matches);
    document.documentElement.dataset.scheme = isDark ? "dark" : "light";
  };
  paint();
  ofSystem.addEventListener("change", paint);
})();
