import type { CSSVariablesResolver, MantineColorsTuple, MantineThemeOverride } from "@mantine/core";

/** From light to dark. */
function shades(colors: string): MantineColorsTuple {
  return colors.split(" ") as unknown as MantineColorsTuple;
}

const harbour = shades("#eef2ff #dfe6fd #bccaf8 #97acf3 #7791ee #5a78e6 #4562da #3550c4 #2c429f #25377f");

/** A bluish neutral for text and borders. */
const slate = shades("#f7f8fa #eef0f4 #e1e5eb #cfd5de #b2bac7 #8f99a9 #667085 #4a5466 #333c4b #1f2633");

const night = shades("#d5dae3 #b6bdca #99a2b3 #6c7689 #3d4656 #2d3543 #222935 #181d27 #12161e #0c0f15");

const closeButtonProps = { "aria-label": "Close" };
/** A page has only one banner. */
const attributes = { header: { role: "presentation" } };

/** The build imports it as well, so it may import only types from the library. */
export const theme: MantineThemeOverride = {
  colors: { harbour, gray: slate, dark: night },
  primaryColor: "harbour",
  primaryShade: { light: 7, dark: 6 },
  black: "#1f2633",
  defaultRadius: "md",
  cursorType: "pointer",
  respectReducedMotion: true,
  // Scripts that the font lacks are shown in the system's.
  fontFamily: '"Inter Variable", system-ui, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
  fontSizes: { xs: "0.75rem", sm: "0.8125rem", md: "0.875rem", lg: "1rem", xl: "1.125rem" },
  headings: {
    fontWeight: "600",
    sizes: {
      h1: { fontSize: "1.375rem", lineHeight: "1.3" },
      h2: { fontSize: "1.0625rem", lineHeight: "1.4" },
      h3: { fontSize: "0.9375rem", lineHeight: "1.4" },
    },
  },
  components: {
    // Scroll locking would add a style element, which the content policy refuses.
    Modal: {
      defaultProps: { lockScroll: false, centered: true, padding: "lg", closeButtonProps, attributes },
    },
    Drawer: { defaultProps: { lockScroll: false, closeButtonProps, attributes } },
    Tooltip: { defaultProps: { openDelay: 250, withArrow: true, fz: "xs" } },
    Table: { defaultProps: { verticalSpacing: 8, horizontalSpacing: 12 } },
    Badge: {
      defaultProps: {
        variant: "light",
        radius: "sm",
        tt: "none",
        fw: 500,
        fz: "0.75rem",
        px: 7,
        lts: 0,
        miw: "max-content",
      },
    },
  },
};

/** Replaces text colors of the library with a contrast below 4.5 to 1. */
export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {
    "--gatehouse-created": "var(--mantine-color-teal-6)",
    "--gatehouse-skipped": "var(--mantine-color-gray-4)",
    "--gatehouse-failed": "var(--mantine-color-red-6)",
  },
  light: {
    "--mantine-color-dimmed": "#5b6577",
    "--mantine-color-placeholder": "#667085",
    "--mantine-color-error": "var(--mantine-color-red-9)",
    "--mantine-color-yellow-light-color": "#7a4100",
    "--mantine-color-orange-light-color": "#8a2c00",
    "--mantine-color-teal-light-color": "#055a40",
    "--mantine-color-red-light-color": "#9b1c1c",
    "--mantine-color-gray-light-color": "var(--mantine-color-gray-8)",
    "--mantine-color-default-border": "var(--mantine-color-gray-3)",
    "--gatehouse-canvas": "#f7f8fa",
    "--gatehouse-surface": "#ffffff",
    "--gatehouse-border": "var(--mantine-color-gray-2)",
    "--gatehouse-hover": "var(--mantine-color-gray-0)",
    "--gatehouse-edge": "rgb(31 38 51 / 28%)",
    "--gatehouse-bar": "var(--mantine-color-harbour-3)",
    "--gatehouse-line": "var(--mantine-color-harbour-8)",
    "--gatehouse-code": "var(--mantine-color-gray-1)",
  },
  dark: {
    "--mantine-color-dimmed": "var(--mantine-color-dark-2)",
    "--mantine-color-placeholder": "#8a94a6",
    "--mantine-color-error": "var(--mantine-color-red-4)",
    "--mantine-color-body": "var(--mantine-color-dark-7)",
    "--mantine-color-yellow-light": "#3a2f14",
    "--mantine-color-yellow-light-color": "#ffe7a3",
    "--mantine-color-orange-light": "#43280f",
    "--mantine-color-orange-light-color": "#ffd8b0",
    "--mantine-color-harbour-light": "#26315c",
    "--mantine-color-harbour-light-hover": "#2e3b6e",
    "--mantine-color-anchor": "var(--mantine-color-harbour-3)",
    "--gatehouse-canvas": "var(--mantine-color-dark-8)",
    "--gatehouse-surface": "var(--mantine-color-dark-7)",
    "--gatehouse-border": "var(--mantine-color-dark-5)",
    "--gatehouse-hover": "var(--mantine-color-dark-6)",
    "--gatehouse-edge": "rgb(0 0 0 / 70%)",
    "--gatehouse-bar": "var(--mantine-color-harbour-7)",
    "--gatehouse-line": "var(--mantine-color-harbour-2)",
    "--gatehouse-skipped": "var(--mantine-color-dark-3)",
    "--gatehouse-code": "var(--mantine-color-dark-6)",
  },
});
