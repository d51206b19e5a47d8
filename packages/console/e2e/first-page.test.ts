import type { Response } from "playwright-core";
import { describe, expect, it } from "vitest";
import { openConsole, settled } from "./harness.js";

const gatehouse = openConsole();
const budgetBytes = 250_000;

describe("the first page", () => {
  it("loads at most 250 kB of compressed scripts and styles before the charts", async () => {
    const tenant = await gatehouse.tenant();
    const page = await gatehouse.signedIn("viewer", tenant);
    const files: Response[] = [];
    page.on("response", (response) => {
      if (["script", "stylesheet"].includes(response.request().resourceType())) files.push(response);
    });
    await page.goto(gatehouse.origin);
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    await settled(page);
    await expect.poll(() => files.some((file) => /chart/.test(file.url()))).toBe(true);
    const sizes = await Promise.all(
      files.map(async (file) => ({
        name: new URL(file.url()).pathname,
        encoding: file.headers()["content-encoding"],
        bytes: (await file.request().sizes()).responseBodySize,
      })),
    );
    const isPlot = ({ name }: { name: string }) => /chart/i.test(name);
    const first = sizes.filter((size) => !isPlot(size));
    expect(first.some(({ name }) => name.endsWith(".css"))).toBe(true);
    const firstBytes = first.reduce((sum, { bytes }) => sum + bytes, 0);
    expect(firstBytes).toBeGreaterThan(50_000);
    expect(firstBytes, JSON.stringify(first)).toBeLessThanOrEqual(budgetBytes);
    // Large responses are compressed.
    expect(sizes.filter(({ bytes, encoding }) => bytes > 10_000 && encoding !== "br")).toEqual([]);
  });
});

describe("the code of a page", () => {
  it("loads while the session is requested, and when the pointer is over a link to it", async () => {
    const tenant = await gatehouse.tenant();
    const page = await gatehouse.signedIn("viewer", tenant);
    const codeOf = (name: string) => page.waitForRequest((request) => request.url().includes(name));
    const overview = codeOf("/overview-page-");
    await page.route("**/console/api/session", async (route) => {
      await overview;
      await route.continue();
    });
    await page.goto(`${gatehouse.origin}/organizations/${tenant.organizationUuid}`);
    await page.getByRole("heading", { name: "Overview" }).waitFor();

    const leads = codeOf("/leads-page-");
    await page.getByRole("link", { name: "Leads" }).hover();
    await leads;
  });
});

describe("the font", () => {
  it("comes with the page, below 60 kB, and further scripts only when a text has them", async () => {
    const tenant = await gatehouse.tenant();
    const page = await gatehouse.signedIn("admin", tenant);
    const fonts: Response[] = [];
    page.on("response", (response) => {
      if (response.url().endsWith(".woff2")) fonts.push(response);
    });
    await page.goto(`${gatehouse.origin}/organizations/${tenant.organizationUuid}/locations/new`);
    await page.getByLabel("Name").fill("Parking 1");
    await page.evaluate(() => document.fonts.ready.then(() => undefined));
    const [latin, ...others] = fonts as [Response, ...Response[]];
    expect(others).toEqual([]);
    expect(latin.headers()).toMatchObject({
      "content-type": "font/woff2",
      "cache-control": "public, max-age=31536000, immutable",
    });
    expect((await latin.body()).length).toBeLessThan(60_000);
    // The page itself asks for it, before any style is read.
    const initiator = await page.evaluate(
      (name) => (performance.getEntriesByName(name)[0] as PerformanceResourceTiming).initiatorType,
      latin.url(),
    );
    expect(initiator).toBe("link");

    await page.getByLabel("Name").fill("Паркинг Αθήνα");
    const loaded = () =>
      page.evaluate(() => [...document.fonts].filter(({ status }) => status === "loaded").length);
    await expect.poll(loaded).toBe(3);
  });

  it("has digits of one width for columns", async () => {
    const page = await gatehouse.page();
    await page.goto(gatehouse.origin);
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await page.evaluate(() => document.fonts.ready.then(() => undefined));
    const widths = await page.evaluate(() =>
      ["", "numeric"].map((className) =>
        ["1111111111", "0000000000"].map((digits) => {
          const box = Object.assign(document.createElement("span"), { className, textContent: digits });
          document.body.append(box);
          return box.getBoundingClientRect().width;
        }),
      ),
    );
    const [[ones, zeros], [columnOnes, columnZeros]] = widths as [[number, number], [number, number]];
    expect(ones).toBeLessThan(zeros);
    expect(columnOnes).toBe(columnZeros);
  });
});

describe("when the server is unreachable", () => {
  it("the page shows a banner, keeps its frame, and recovers", async () => {
    const tenant = await gatehouse.tenant();
    const page = await gatehouse.signedIn("viewer", tenant);
    await page.goto(`${gatehouse.origin}/organizations/${tenant.organizationUuid}/locations`);
    await page.getByRole("link", { name: "Battery Park Garage" }).waitFor();
    const gone = page.getByRole("alert").filter({ hasText: "Cannot reach the server" });

    // The script of this page was never loaded.
    await page.context().setOffline(true);
    await page.getByRole("link", { name: "Leads" }).click();
    await gone.first().waitFor();
    await expect.poll(() => gone.count()).toBe(2);
    await expect.poll(() => page.getByRole("navigation").isVisible()).toBe(true);
    await page.context().setOffline(false);
    await page.getByRole("heading", { name: "Leads", level: 1 }).waitFor();
    await gone.first().waitFor({ state: "hidden" });

    // This page was left before the server was back, and opened again later.
    await page.context().setOffline(true);
    await page.getByRole("link", { name: "Imports" }).click();
    await gone.first().waitFor();
    await page.getByRole("link", { name: "Locations" }).click();
    await page.getByRole("heading", { name: "Locations", level: 1 }).waitFor();
    await page.context().setOffline(false);
    await page.getByRole("link", { name: "Imports" }).click();
    await page.getByRole("heading", { name: "Imports", level: 1 }).waitFor();

    // This page is loaded, but its data is not: the banner retries automatically.
    await page.getByRole("link", { name: "Locations" }).click();
    await page.getByRole("link", { name: "Battery Park Garage" }).waitFor();
    await page.context().setOffline(true);
    await page.getByLabel("Name, address or city").fill("nowhere");
    await gone.first().waitFor();
    await page.context().setOffline(false);
    await page.getByText("No locations match").waitFor();
    await gone.first().waitFor({ state: "hidden" });
  });
});
