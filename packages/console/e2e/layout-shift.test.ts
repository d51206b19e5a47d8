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

it("placeholders have the place of the rows that come", async () => {
  const tenant = await gatehouse.tenant();
  await gatehouse.send("/integrations/accounts", tenant.apiKey, {
    accounts: [1, 2, 3].map((number) => ({ tpReferenceId: `A-${number}`, name: `Company ${number}` })),
  });
  const page = await gatehouse.signedIn("viewer", tenant);
  let answer = () => {};
  const isAsked = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route(/api\/.*\/records\/accounts/, async (route) => {
    await isAsked;
    await route.continue();
  });
  await page.goto(`${gatehouse.origin}/organizations/${tenant.organizationUuid}/records/accounts`);
  const topsOf = (rows: string) =>
    page.locator(rows).evaluateAll((all) => all.slice(0, 4).map((row) => row.getBoundingClientRect().top));
  await page.getByRole("heading", { name: "Accounts", level: 1 }).waitFor();
  await page.getByRole("button", { name: "Columns" }).waitFor();
  const placeholders = await topsOf("main output > span");
  answer();
  await page.getByRole("link", { name: "A-1" }).waitFor();
  const rows = await topsOf("main tr");
  expect(rows).toHaveLength(4);
  for (const [index, top] of rows.entries())
    expect(Math.abs(top - (placeholders[index] ?? 0))).toBeLessThan(3);
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
