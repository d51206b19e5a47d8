import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const script = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
/** Dark mode changes only colors. */
const rulesOfColour = ["color-contrast", "link-in-text-block"];

interface Violation {
  id: string;
  nodes: { target: string[]; failureSummary: string }[];
}

/**
 * Returns everything that axe finds, of any severity, with its location: first in light mode, then in dark mode. The page
 * must allow injected scripts (`bypassCSP`) and start in light mode. It stays in dark mode.
 */
export async function violationsInBothModes(page: Page): Promise<string[]> {
  const light = await violations(page);
  await paintDark(page);
  const dark = await violations(page, rulesOfColour);
  return [...light, ...dark.map((violation) => `dark: ${violation}`)];
}

/** `rules`: run only these. */
export async function violations(page: Page, rules?: string[]): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.addScriptTag({ path: script });
  const options = { resultTypes: ["violations"], ...(rules ? { runOnly: rules } : {}) };
  const found = await page.evaluate<Violation[]>(
    `axe.run(${JSON.stringify(options)}).then((result) => result.violations)`,
  );
  return found.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.target.join(" ")}: ${node.failureSummary}`),
  );
}

/** Switches the system's color scheme and waits for transitions to end. */
async function paintDark(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: "dark" });
  await page
    .locator("html[data-mantine-color-scheme=dark], html[data-scheme=dark]")
    .waitFor({ state: "attached" });
  await page.evaluate(() => Promise.allSettled(document.getAnimations().map(({ finished }) => finished)));
}
