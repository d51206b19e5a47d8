import type { Page } from "playwright-core";
import { operationNames } from "@gatehouse-parking/contract";
import { expect, onTestFinished, test } from "vitest";
import { useBrowser } from "../../../testing/browser/use-browser.js";
import { useApp } from "../../../testing/harness.js";
import { useWire } from "../../../testing/wire.js";

const chromium = useBrowser();
const wire = useWire();
const gatehouse = useApp({}, wire.listen);

const waitMs = 45_000;

async function openDocs(isPlain = false): Promise<{ page: Page; complaints: string[] }> {
  const context = await chromium.browser.newContext({ ignoreHTTPSErrors: true });
  context.setDefaultTimeout(waitMs);
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const origin = isPlain ? `http://localhost:${wire.httpPort}` : `https://localhost:${wire.httpsPort}`;
  const complaints: string[] = [];
  page.on("request", (request) => {
    const address = request.url();
    if (!address.startsWith(origin) && !address.startsWith("data:")) complaints.push(`asked ${address}`);
  });
  page.on("pageerror", (error) => complaints.push(`threw ${error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  await page.goto(`${origin}/docs`);
  return { page, complaints };
}

test("/docs shows every operation; with a key its examples use the reader's data and can be sent", async () => {
  const { apiKey, locationUuid } = await gatehouse.tenant();
  const { page, complaints } = await openDocs();
  expect(await page.locator("section").count()).toBe(operationNames.length);
  const curl = page.locator("#importTransactions figure[data-language=curl]");
  await curl.getByText(`https://localhost:${wire.httpsPort}/integrations/transactions`).waitFor();

  await page.getByLabel("API key").fill(apiKey);
  await page.getByRole("button", { name: "Use this key" }).click();
  await page.getByText("The examples use this key and the location Main garage.").waitFor();
  await expect.poll(() => curl.innerText()).toContain(apiKey);
  await expect.poll(() => curl.innerText()).toContain(locationUuid);

  await page.getByRole("button", { name: "Send: List the organization's locations" }).click();
  const locations = page.locator("#listLocations .answer");
  await locations.getByText("Status 200").waitFor();
  await expect.poll(() => locations.innerText()).toContain("Main garage");
  for (const name of ["importAccounts", "importTransactions", "importSubscriptions", "submitLead"]) {
    await page.locator(`#${name} form.try button`).click();
    await page.locator(`#${name} .answer`).getByText("Status 200").waitFor();
    expect(await page.locator(`#${name} .answer`).innerText()).not.toContain('"status": 4');
  }
  expect(complaints).toEqual([]);
});

test("/docs reports a rejected key, remembers the language, and links to the guides", async () => {
  const { page } = await openDocs();
  await page.getByLabel("API key").fill("wrong");
  await page.getByRole("button", { name: "Use this key" }).click();
  await page.getByText("The key is not accepted: The API key is not valid.").waitFor();
  await page.getByLabel("Examples in").selectOption("Python");
  await expect.poll(() => page.locator("#getImport figure:visible").innerText()).toContain("urllib");
  await page.reload();
  await page.locator("#getImport figure[data-language=Python]:visible").waitFor();
  expect(await page.locator("#getImport figure:visible").count()).toBe(1);
  await page.getByRole("link", { name: "Build a reliable integration" }).click();
  await page.getByRole("heading", { name: "Build a reliable integration", level: 1 }).waitFor();
  await page.getByRole("button", { name: "Dark mode" }).click();
  await page
    .getByRole("navigation", { name: "Documentation" })
    .getByRole("link", { name: "Errors and reason codes" })
    .click();
  await page.locator("html[data-scheme=dark]").waitFor({ state: "attached" });
  await page.getByRole("button", { name: "Light mode" }).waitFor();
});

test("/docs on the plain port has no key field, and links and examples use the HTTPS address", async () => {
  const { page, complaints } = await openDocs(true);
  const secure = `https://127.0.0.1:${wire.httpsPort}`;
  const curl = page.locator("#importTransactions figure[data-language=curl]");
  expect(await curl.innerText()).toContain(`"${secure}/integrations/transactions"`);
  expect(await curl.innerText()).toContain("curl --cacert ");
  expect(await page.content()).not.toContain(`localhost:${wire.httpPort}`);
  expect(await page.locator("input[type=password], form").count()).toBe(0);
  await page.getByLabel("Examples in").selectOption("Python");
  await expect
    .poll(() => page.locator("#getImport figure:visible").innerText())
    .toContain(`${secure}/integrations/imports`);
  expect(complaints).toEqual([]);
  await page.getByRole("link", { name: `${secure}/docs` }).click();
  await page.getByLabel("API key").waitFor();
});
