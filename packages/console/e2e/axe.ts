import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const script = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
/** Colours are all that dark mode changes. */
const rulesOfColour = ["color-contrast", "link-in-text-block"];

interface Violation {
  id: string;
  nodes: { target: string[]; failureSummary: string }[];
}

/**
 * Everything that axe finds, of any severity, as lines that say where: on the page as it is, then in dark mode. The page
 * has to be one that allows scripts of others (`bypassCSP`) and begins in light mode. It is left in dark mode.
 */
export async function violationsInBothModes(page: Page): Promise<string[]> {
  const light = await violations(page);
  await paintDark(page);
  const dark = await violations(page, rulesOfColour);
  return [...light, ...dark.map((violation) => `dark: ${violation}`)];
}

/** `rules`: only these. */
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

/** As a system in this scheme would have it, without anything still fading. */
async function paintDark(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: "dark" });
  await page
    .locator("html[data-mantine-color-scheme=dark], html[data-scheme=dark]")
    .waitFor({ state: "attached" });
  await page.evaluate(() => Promise.allSettled(document.getAnimations().map(({ finished }) => finished)));
}
