import { expect, test } from "vitest";
import { useBrowser } from "../../testing/browser/use-browser.js";
import { useApp } from "../../testing/harness.js";
import { useWire } from "../../testing/wire.js";

const chromium = useBrowser();
const wire = useWire();
const gatehouse = useApp({}, wire.listen);

test("/docs shows every operation, and tries one with a key, without leaving the service", async () => {
  const { apiKey } = await gatehouse.tenant();
  const context = await chromium.browser.newContext({ ignoreHTTPSErrors: true });
  const page = await context.newPage();
  const origin = `https://localhost:${wire.httpsPort}`;
  const elsewhere: string[] = [];
  const complaints: string[] = [];
  page.on("request", (request) => {
    const address = request.url();
    if (!address.startsWith(origin) && !address.startsWith("data:")) elsewhere.push(address);
  });
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  await page.goto(`${origin}/docs/`);
  await page.locator("#operations-Integrations-listLocations").waitFor();
  expect(await page.locator(".opblock").count()).toBe(10);

  await page.locator("button.authorize").first().click();
  await page.locator(".auth-container input").fill(apiKey);
  await page.locator(".auth-btn-wrapper button.authorize").click();
  await page.locator(".auth-btn-wrapper button.btn-done").click();
  await page.locator("#operations-Integrations-listLocations .opblock-summary-control").click();
  await page.locator("#operations-Integrations-listLocations button.execute").click();
  const answer = page.locator("#operations-Integrations-listLocations .live-responses-table .response");
  await answer.waitFor();
  expect(await answer.locator(".response-col_status").innerText()).toContain("200");
  expect(await answer.innerText()).toContain("Main garage");
  expect(elsewhere).toEqual([]);
  expect(complaints).toEqual([]);
  await context.close();
});
