import decodeQr from "qr/decode.js";
import type { Locator, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { authenticator } from "../../service/testing/second-factor.js";
import { violationsInBothModes } from "./axe.js";
import { openConsole, password, settled, type Tenant } from "./harness.js";

// Operators need two-factor authentication once any organization requires it.
const gatehouse = openConsole({});

async function openAccount(tenant: Tenant, options = {}): Promise<Page> {
  const page = await gatehouse.signedIn("admin", tenant, options);
  await page.goto(gatehouse.origin);
  await page.getByRole("button", { name: /Your menu/ }).click();
  await page.getByRole("menuitem", { name: "Your account" }).click();
  await page.getByRole("heading", { name: "Your account" }).waitFor();
  return page;
}

/** Checks a page in the middle of an operation and leaves it unchanged. */
async function findings(page: Page): Promise<string[]> {
  await settled(page);
  const found = await violationsInBothModes(page);
  await page.emulateMedia({ colorScheme: "light" });
  return found;
}

/** Decodes the QR code on the screen, like a phone's camera. */
async function scan(page: Page, picture: Locator): Promise<string> {
  const png = (await picture.screenshot()).toString("base64");
  const pixels = await page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
    const context = canvas.getContext("2d") as OffscreenCanvasRenderingContext2D;
    context.drawImage(bitmap, 0, 0);
    const { data, width, height } = context.getImageData(0, 0, bitmap.width, bitmap.height);
    return { data: [...data], width, height };
  }, png);
  return decodeQr({ ...pixels, data: Uint8ClampedArray.from(pixels.data) });
}

const emailOn = async (page: Page) =>
  (await page.getByRole("button", { name: /Your menu/ }).getAttribute("aria-label"))?.split(", ")[1] ?? "";

describe("two-factor authentication", () => {
  it("is set up with a QR code, required at the next sign-in, and turned off", async () => {
    const tenant = await gatehouse.tenant();
    const page = await openAccount(tenant, { colorScheme: "light", bypassCSP: true });
    const email = await emailOn(page);
    expect(await findings(page)).toEqual([]);
    await page.getByLabel("Current password").fill(password);
    await page.getByRole("button", { name: "Set up two-factor authentication" }).click();
    const address = await scan(page, page.getByRole("img", { name: /QR code/ }));
    const { searchParams } = new URL(address);
    const app = authenticator(searchParams.get("secret") ?? "");
    expect(await findings(page)).toEqual([]);

    await page.getByLabel("Code from your app").fill("000000");
    await page.getByRole("button", { name: "Confirm" }).click();
    await page.getByRole("alert").waitFor();
    await page.getByLabel("Code from your app").fill(app.code());
    await page.getByRole("button", { name: "Confirm" }).click();
    const codes = (await page.getByLabel("Recovery codes", { exact: true }).textContent()) ?? "";
    expect(codes.split("\n")).toHaveLength(10);
    expect(await findings(page)).toEqual([]);
    await page.getByRole("button", { name: "I've saved them" }).click();
    await page.getByText("10 recovery codes left").waitFor();
    expect(await findings(page)).toEqual([]);

    await page.getByRole("button", { name: /Your menu/ }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password", { exact: true }).fill(password);
    await page.keyboard.press("Enter");
    await page.getByLabel("Code").fill("000000");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").filter({ hasText: "The code is incorrect" }).waitFor();
    expect(await findings(page)).toEqual([]);
    await page.getByLabel("Code").fill(app.code(1));
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Your account" }).waitFor();

    await page.getByRole("button", { name: "New recovery codes" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Code").fill(codes.split("\n")[0] ?? "");
    await dialog.getByRole("button", { name: "Create codes" }).click();
    const renewed = (await dialog.getByLabel("Recovery codes", { exact: true }).textContent()) ?? "";
    expect(renewed).not.toBe(codes);
    await dialog.getByRole("button", { name: "I've saved them" }).click();
    await page.getByRole("button", { name: "Turn off" }).click();
    await dialog.getByLabel("Code").fill(renewed.split("\n")[0] ?? "");
    await dialog.getByRole("button", { name: "Turn off" }).click();
    await page.getByLabel("Current password").waitFor();
  });

  it("can be required by an admin; members set it up before they see a page", async () => {
    const tenant = await gatehouse.tenant();
    const admin = await openAccount(tenant);
    const app = async (page: Page) => {
      await page.getByLabel("Current password").fill(password);
      await page.getByRole("button", { name: "Set up two-factor authentication" }).click();
      const secret = (await page.getByLabel("Key", { exact: true }).textContent()) ?? "";
      await page.getByLabel("Code from your app").fill(authenticator(secret).code());
      await page.getByRole("button", { name: "Confirm" }).click();
      await page.getByRole("button", { name: "I've saved them" }).click();
    };
    const members = `${gatehouse.origin}/organizations/${tenant.organizationUuid}/settings/members`;
    await admin.goto(members);
    await admin.getByRole("button", { name: "Require for everyone" }).click();
    await admin.getByText("1 member has not set it up").waitFor();
    await admin.getByRole("button", { name: "Require", exact: true }).click();
    await admin.getByRole("alert").filter({ hasText: "for yourself first" }).waitFor();

    await admin.goto(`${gatehouse.origin}/account`);
    await app(admin);
    await admin.getByText("recovery codes left").waitFor();
    await admin.goto(members);
    await admin.getByRole("button", { name: "Require for everyone" }).click();
    await admin.getByRole("button", { name: "Require", exact: true }).click();
    await admin.getByText("required", { exact: true }).waitFor();

    const viewer = await gatehouse.signedIn("viewer", tenant);
    await viewer.goto(`${gatehouse.origin}/organizations/${tenant.organizationUuid}/leads`);
    await viewer.getByRole("heading", { name: "Set up two-factor authentication" }).waitFor();
    await app(viewer);
    await viewer.getByRole("heading", { name: "Leads" }).waitFor();
  });

  it("is reset by an operator for a member who lost it", async () => {
    const tenant = await gatehouse.tenant();
    const email = await gatehouse.person("viewer", tenant);
    await gatehouse.database.work.query(
      "insert into second_factors (user_id, sealed_secret, confirmed_at) select id, '', now() from users where email = $1",
      [email],
    );
    const page = await gatehouse.signedIn("operator");
    await page.goto(`${gatehouse.origin}/organizations/${tenant.organizationUuid}/settings/members`);
    await page.getByRole("button", { name: `Actions for ${email}` }).click();
    await page.getByRole("menuitem", { name: "Reset two-factor authentication" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Reset" }).click();
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    await page.getByRole("button", { name: `Actions for ${email}` }).click();
    await page.getByRole("menuitem", { name: "New sign-in link" }).waitFor();
    expect(await page.getByRole("menuitem", { name: "Reset two-factor authentication" }).count()).toBe(0);
  });
});

describe("own sessions", () => {
  it("are listed with browser and address, and can be signed out one by one or all at once", async () => {
    const tenant = await gatehouse.tenant();
    const page = await openAccount(tenant);
    const email = await emailOn(page);
    const elsewhere = async (userAgent: string) => {
      const other = await gatehouse.page({ userAgent });
      await other.request.post(`${gatehouse.origin}/console/api/session`, {
        data: { email, password },
        headers: { origin: gatehouse.origin },
      });
      return other;
    };
    const phone = await elsewhere("Mozilla/5.0 (iPhone) Version/18.5 Mobile/15E148 Safari/604.1");
    await elsewhere("Mozilla/5.0 (Windows NT 10.0) Gecko/20100101 Firefox/143.0");
    await elsewhere("Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15) Gecko/20100101 Firefox/143.0");
    await page.reload();
    const rows = page.getByRole("region", { name: "Sessions" }).getByRole("row");
    await expect.poll(() => rows.count()).toBe(5);
    await page.getByText("This device").waitFor();
    await page.getByRole("button", { name: /Sign out Safari on iPhone/ }).click();
    await expect.poll(() => rows.count()).toBe(4);
    expect((await phone.request.get(`${gatehouse.origin}/console/api/session`)).status()).toBe(401);
    await page.getByRole("button", { name: "Sign out everywhere else" }).click();
    await expect.poll(() => rows.count()).toBe(2);
  });
});

it("the account page fits a phone of 360 pixels, also with the QR code", async () => {
  const tenant = await gatehouse.tenant();
  const page = await openAccount(tenant, { viewport: { width: 360, height: 740 } });
  const overflow = async () => {
    await settled(page);
    return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  };
  expect(await overflow()).toBe(0);
  await page.getByLabel("Current password").fill(password);
  await page.getByRole("button", { name: "Set up two-factor authentication" }).click();
  await page.getByRole("img", { name: /QR code/ }).waitFor();
  expect(await overflow()).toBe(0);
});
