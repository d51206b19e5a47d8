import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { createFilledDemo } from "./filled-demo.js";
import { openConsole, settled } from "./harness.js";
import { pagesOf } from "./pages.js";

const gatehouse = openConsole({});
/** Half of what browsers call good. */
const allowedShift = 0.05;

it("no page moves what it shows while it loads", async () => {
  const tenant = await createFilledDemo(gatehouse);
  const home = `/organizations/${tenant.organizationUuid}`;
  const pages = Object.entries(await pagesOf(gatehouse, tenant)).map(([name, path]) => [name, home + path]);
  const page = await gatehouse.signedIn("operator");
  await page.addInitScript(() => {
    const shifts: Shift[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as unknown as Shift[]) shifts.push(entry);
    }).observe({ type: "layout-shift", buffered: true });
  });
  const tooMuch: Record<string, number> = {};
  for (const [name = "", path] of [
    ...pages,
    ["all organizations", "/"],
    ["organizations", "/organizations"],
  ]) {
    await page.goto(gatehouse.origin + path);
    await settled(page);
    const shift = await shiftOf(page);
    if (shift >= allowedShift) tooMuch[name] = Number(shift.toFixed(3));
  }
  expect(tooMuch).toEqual({});
});

interface Shift {
  value: number;
  hadRecentInput: boolean;
}

/** The sum of all shifts since the page was opened. */
async function shiftOf(page: Page): Promise<number> {
  return page.evaluate(() =>
    (window as unknown as { shifts: Shift[] }).shifts
      .filter(({ hadRecentInput }) => !hadRecentInput)
      .reduce((sum, { value }) => sum + value, 0),
  );
}
