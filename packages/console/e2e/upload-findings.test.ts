import { expect, it } from "vitest";
import type { Page } from "playwright-core";
import { violationsInBothModes } from "./axe.js";
import { openConsole, type Tenant } from "./harness.js";
import { answerByHand, check, countOf, drop, importFile, map, openNewUpload } from "./uploading.js";

const gatehouse = openConsole();

const header = "transactionId,type,transactionDate,Garage,amountTotal,sessionStart,sessionEnd";
const row = (id: string, amount: string, [from, to] = ["10", "11"]) =>
  `${id},1,2026-03-01T12:00:00Z,NYC-1,${amount},2026-03-01T${from}:00:00Z,2026-03-01T${to}:00:00Z`;

async function checkFile(page: Page, tenant: Tenant, lines: readonly string[]): Promise<void> {
  await openNewUpload(page, gatehouse, tenant);
  await drop(page, "sessions.csv", [header, ...lines].join("\n"));
  await map(page, "Garage", "locationUuid");
  await answerByHand(page);
  await check(page);
}

const region = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

it("shows findings, conflicts and lines that were set aside after the check and on the page of the upload", async () => {
  const tenant = await gatehouse.tenant();
  const page = await gatehouse.signedIn("admin", tenant, { colorScheme: "light", bypassCSP: true });
  await checkFile(page, tenant, [row("T-1", "5")]);
  expect(await region(page, "Findings").count()).toBe(0);
  await importFile(page);

  await checkFile(page, tenant, [
    row("T-1", "9"),
    row("T-2", "5", ["11", "10"]),
    row("T-3", "5"),
    row("T-3", "7"),
    "Total,,,,26,,",
  ]);
  await region(page, "Findings").getByText("with a sessionEnd before the sessionStart").waitFor();
  await page.getByRole("link", { name: "Show the conflicts" }).click();
  await page.getByRole("heading", { name: "sessions.csv", level: 1 }).waitFor();

  await expect.poll(() => countOf(page, "Conflicts")).toBe("2");
  expect(await countOf(page, "Set aside")).toBe("1");
  expect(await countOf(page, "Would be created")).toBe("2");
  const findings = region(page, "Findings");
  await findings.getByText("Check that sessionStart and sessionEnd are not swapped").waitFor();
  await findings.getByText("“T-3” in line 5 and line 4").waitFor();
  await page.getByText("Read as CSV, with 1 line set aside as not a record: line 6").waitFor();
  const conflicts = region(page, "Conflicts");
  await conflicts.getByText("is already stored with other values: amountTotal").first().waitFor();
  const file = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download all conflicts" }).click();
  expect((await file).suggestedFilename()).toBe("conflicts.csv");
  expect(await violationsInBothModes(page)).toEqual([]);

  const topOf = async (name: string) => (await region(page, name).boundingBox())?.y ?? Infinity;
  const button = await page.getByRole("button", { name: "Import file" }).boundingBox();
  expect(await topOf("Findings")).toBeLessThan(button?.y ?? 0);
  expect(await topOf("Conflicts")).toBeLessThan(button?.y ?? 0);
  await importFile(page);
  await findings.getByText("with a sessionEnd before the sessionStart").waitFor();
  await expect.poll(() => countOf(page, "Created")).toBe("2");
  await page.setViewportSize({ width: 390, height: 844 });
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow).toBe(0);
});
