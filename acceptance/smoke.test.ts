import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { useBrowser } from "../packages/service/testing/browser/use-browser.js";
import { databaseServers, leave, newPlace, startService, type Place } from "./running-service.js";
import type { RunningService, Started } from "./running-service.js";

/** The built product on a new data folder, started once for all tests of this file. They run in this order. */
let place: Place;
let service: RunningService;
let demo: NonNullable<Started["demo"]>;
beforeAll(async () => {
  place = await newPlace();
  service = await startService(place);
  if (!service.demo) throw new Error("a first start creates the demo organization");
  demo = service.demo;
});
afterAll(async () => {
  service?.kill("SIGKILL");
  await leave(place);
});

const waitMs = 180_000;

function batch(transactionId: string) {
  const transactionDate = "2026-04-01T14:30:00Z";
  return { transactions: [{ transactionId, locationUuid: demo.locationUuid, type: 1, transactionDate }] };
}

test("the built product starts in an empty folder, imports a record and skips its replay", async () => {
  const sending = { key: demo.key, body: batch("SMOKE-1") };
  const created = await service.send("/integrations/transactions", sending);
  expect(created.json.results).toMatchObject([{ status: 1 }]);
  const replayed = await service.send("/integrations/transactions", sending);
  expect(replayed.json.results).toMatchObject([{ status: 3, uuid: created.json.results[0].uuid }]);
});

describe("in a browser", () => {
  const chromium = useBrowser();

  test("an operator signs in with the printed link, creates a key, imports with it and sees the run", async () => {
    const context = await chromium.browser.newContext({ ignoreHTTPSErrors: true, reducedMotion: "reduce" });
    context.setDefaultTimeout(waitMs);
    const page = await context.newPage();
    await page.goto(service.signIn?.link ?? "");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("button", { name: "Sign in" }).waitFor({ state: "hidden" });

    const organization = `${new URL(service.consoleAddress).origin}/organizations/${demo.organizationUuid}`;
    const key = await createKey(page, `${organization}/settings/api-keys`);
    const answer = await service.send("/integrations/transactions", { key, body: batch("SMOKE-2") });
    expect(answer.json.results).toMatchObject([{ status: 1 }]);

    await page.goto(`${organization}/imports/${answer.json.referenceUuid}`);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.getByRole("row", { name: /SMOKE-2/ }).waitFor();
    await context.close();
  });
});

async function createKey(page: Page, address: string): Promise<string> {
  await page.goto(address);
  await page.getByRole("button", { name: "Create New API Key" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Smoke test");
  await dialog.getByRole("button", { name: "Create key" }).click();
  return (await dialog.getByLabel("New API key").textContent()) ?? "";
}

test("SIGTERM stops the service and its database, with exit status 0", async () => {
  service.kill("SIGTERM");
  expect(await service.ended).toEqual({ exitCode: 0, signal: null });
  expect(await databaseServers(place.variables["GATEHOUSE_DATA_DIR"] as string)).toEqual([]);
});
