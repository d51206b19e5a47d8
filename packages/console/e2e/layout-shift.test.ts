import { expect, it } from "vitest";
import { createOrganization } from "../../service/src/core/organizations/organizations.js";
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
  const created = await createOrganization(gatehouse.database.work, { name: "Pier 7", actor: "test" });
  const empty = `/organizations/${created.uuid}`;
  const page = await gatehouse.signedIn("operator");
  await page.addInitScript(observeShifts);
  const tooMuch: string[] = [];
  for (const [name = "", path] of [
    ...pages,
    ["all organizations", "/"],
    ["organizations", "/organizations"],
    ["overview of a new organization", empty],
    ["imports of a new organization", `${empty}/imports`],
  ]) {
    // The code of some parts loads later than the page, and only then they request their data.
    await page.goto(gatehouse.origin + path, { waitUntil: "networkidle" });
    await settled(page);
    const shifts = await page.evaluate(() => (window as unknown as { shifts: Shift[] }).shifts);
    const sum = shifts.reduce((total, { value }) => total + value, 0);
    if (sum >= allowedShift)
      tooMuch.push(`${name}: ${sum.toFixed(3)}, moved ${shifts.flatMap(({ moved }) => moved).join(", ")}`);
  }
  expect(tooMuch).toEqual([]);
});

interface Shift {
  value: number;
  moved: string[];
}

/** Runs in the browser. Shifts that follow a click or a key are expected. */
function observeShifts(): void {
  interface Entry {
    value: number;
    hadRecentInput: boolean;
    sources: { node: Node | null }[];
  }
  const shifts: Shift[] = [];
  Object.assign(window, { shifts });
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries() as unknown as Entry[])
      if (!hadRecentInput)
        shifts.push({
          value,
          moved: sources.map(({ node }) => (node as Element | null)?.className ?? "text"),
        });
  }).observe({ type: "layout-shift", buffered: true });
}
