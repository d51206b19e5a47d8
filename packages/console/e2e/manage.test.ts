import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { clickTwice, openConsole, password } from "./harness.js";
import { measureStorage } from "../../service/src/features/retention/storage.js";

// The test lists all organizations, so it needs a separate service.
const gatehouse = openConsole({});

describe("locations", () => {
  it("are added with a searched time zone, edited and deactivated", async () => {
    const tenant = await gatehouse.tenant();
    const page = await gatehouse.signedIn("admin", tenant);
    await page.goto(`${gatehouse.origin}/organizations/${tenant.organizationUuid}/locations`);
    await page.getByRole("link", { name: "Add location" }).click();
    for (const [label, value] of [
      ["Name", "Park Street"],
      ["Address", "22 Park Street"],
      ["City", "Kolkata"],
      ["State or province", "WB"],
      ["Zip code", "700016"],
    ] as const) {
      await page.getByRole("textbox", { name: label }).fill(value);
    }
    const zone = page.getByRole("combobox", { name: "Time zone" });
    for (const [typed, name] of [
      ["new york", "America/New_York"],
      ["kolk", "Asia/Kolkata"],
      ["New_York", "America/New_York"],
    ] as const) {
      await zone.fill(typed);
      await page.getByRole("option", { name: name.replace("_", " ") }).click();
      await expect.poll(() => zone.inputValue()).toBe(name);
    }
    await page.getByRole("button", { name: "Add location" }).click();
    await page.getByRole("link", { name: "Park Street" }).click();
    await page.getByLabel("Active").uncheck({ force: true });
    await page.getByRole("button", { name: "Save changes" }).click();
    await page.getByRole("row", { name: /Park Street inactive Kolkata/ }).waitFor();
  });

  it("a page with edits asks before a link or the back button leaves it, and saving leaves without a question", async () => {
    const tenant = await gatehouse.tenant();
    const page = await gatehouse.signedIn("admin", tenant);
    const home = `${gatehouse.origin}/organizations/${tenant.organizationUuid}`;
    const question = page.getByRole("dialog", { name: "Leave without saving?" });
    const city = page.getByRole("textbox", { name: "City" });
    await page.goto(`${home}/locations`);
    await page.getByRole("link", { name: "Battery Park Garage" }).click();
    await city.fill("Albany");
    await page.getByRole("link", { name: "Leads" }).click();
    await question.getByRole("button", { name: "Stay on this page" }).click();
    await page.goBack();
    await question.getByRole("button", { name: "Stay on this page" }).click();
    expect(await city.inputValue()).toBe("Albany");
    await page.getByRole("button", { name: "Save changes" }).click();
    await page.getByRole("row", { name: /Battery Park Garage Albany/ }).waitFor();

    await page.getByRole("link", { name: "Battery Park Garage" }).click();
    await city.fill("Boston");
    await page.getByRole("link", { name: "Leads" }).click();
    await question.getByRole("button", { name: "Leave without saving" }).click();
    await page.getByRole("heading", { level: 1, name: "Leads" }).waitFor();
  });

  it("concurrent edits keep the first save and the second user's input", async () => {
    const tenant = await gatehouse.tenant();
    const [first, second] = [
      await gatehouse.signedIn("admin", tenant),
      await gatehouse.signedIn("admin", tenant),
    ];
    const field = (page: typeof first, name: string) => page.getByRole("textbox", { name, exact: true });
    for (const page of [first, second]) {
      await page.goto(
        `${gatehouse.origin}/organizations/${tenant.organizationUuid}/locations/${tenant.locationUuid}`,
      );
      await field(page, "City").waitFor();
    }
    await field(second, "Name").fill("Second name");
    await field(second, "Zip code").fill("10007");
    await field(first, "Name").fill("First name");
    await field(first, "City").fill("Albany");
    await first.getByRole("button", { name: "Save changes" }).click();
    await first.getByRole("row", { name: /First name Albany/ }).waitFor();

    await second.getByRole("button", { name: "Save changes" }).click();
    const told = second.getByRole("alert").filter({ hasText: "Someone else changed this" });
    await told.waitFor();
    await expect.poll(() => field(second, "Name").inputValue()).toBe("Second name");
    await told.getByRole("button", { name: "Reload" }).click();
    await told.waitFor({ state: "hidden" });
    await expect.poll(() => field(second, "City").inputValue()).toBe("Albany");
    await expect.poll(() => field(second, "Name").inputValue()).toBe("Second name");
    await expect.poll(() => field(second, "Zip code").inputValue()).toBe("10007");
    await second.getByText("Saved by someone else: First name").waitFor();
    await second.getByRole("button", { name: "Save changes" }).click();
    await second.getByRole("row", { name: /Second name Albany/ }).waitFor();
  });

  it("are imported from CSV after a preview of each line", async () => {
    const tenant = await gatehouse.tenant();
    const page = await gatehouse.signedIn("admin", tenant);
    await page.goto(`${gatehouse.origin}/organizations/${tenant.organizationUuid}/locations/import`);
    const drop = (csv: string) =>
      page
        .getByLabel(/Drop a CSV file/)
        .setInputFiles({ name: "locations.csv", mimeType: "text/csv", buffer: Buffer.from(csv, "latin1") });
    const header = "name,address,city,state,zipcode,timeZone,tpReferenceId";
    await drop(`${header}\nA,1 Street,Bern,BE,3000,Europe/Nowhere,X-1`);
    await page.getByRole("alert").filter({ hasText: "Europe/Nowhere" }).waitFor();
    await expect.poll(() => page.getByRole("button", { name: /^Import \d/ }).isDisabled()).toBe(true);
    // The encoding that spreadsheets on Windows use.
    await drop(
      `${header}\nZürich,1 Street,Bern,BE,3000,Europe/Zurich,X-1\nBattery,2 Street,New York,NY,10006,America/New_York,NYC-1`,
    );
    await page.getByText("Ready: 1 created, 1 updated, 0 unchanged").waitFor();
    await page.getByRole("button", { name: "Import 2 locations" }).click();
    await page.getByRole("link", { name: "Battery", exact: true }).waitFor();
    await page.getByRole("link", { name: "Zürich", exact: true }).waitFor();
  });
});

describe("members", () => {
  it("are invited with a link that is shown once", async () => {
    const tenant = await gatehouse.tenant();
    const page = await gatehouse.signedIn("admin", tenant);
    await page.goto(`${gatehouse.origin}/organizations/${tenant.organizationUuid}/settings/members`);
    await page.getByRole("button", { name: "Invite member" }).click();
    await page.getByLabel("Email").fill("new@example.com");
    await page.getByRole("button", { name: "Create sign-in link" }).click();
    const link = (await page.getByLabel("Sign-in link", { exact: true }).textContent()) ?? "";
    const invited = await gatehouse.page();
    await invited.goto(link);
    await invited.getByRole("button", { name: "Sign in" }).click();
    await invited.getByText("Set a password so that you can sign in again").waitFor();
  });

  it("change only after a confirmation of a new link, a new role or disabling", async () => {
    const tenant = await gatehouse.tenant();
    const email = await gatehouse.person("viewer", tenant);
    const page = await gatehouse.signedIn("admin", tenant);
    await page.goto(`${gatehouse.origin}/organizations/${tenant.organizationUuid}/settings/members`);
    const ask = async (action: string) => {
      await page.getByRole("button", { name: `Actions for ${email}` }).click();
      await page.getByRole("menuitem", { name: action }).click();
    };
    const stored = async () => {
      const { rows } = await gatehouse.database.work.query(
        `select role, disabled_at is null as enabled, password_hash is not null as has_password,
                (select count(*) from sign_in_links where user_id = users.id) as links
         from users where email = $1`,
        [email],
      );
      return rows[0];
    };
    const before = await stored();
    const dialog = page.getByRole("dialog");
    for (const [action, consequence] of [
      ["Make admin", "They can immediately change everything"],
      ["New sign-in link", "Their password and sessions do not change"],
      ["Disable", "they are signed out everywhere"],
    ] as const) {
      await ask(action);
      await dialog.getByText(consequence).waitFor();
      await dialog.getByRole("button", { name: "Cancel" }).click();
      await dialog.waitFor({ state: "hidden" });
    }
    expect(await stored()).toEqual(before);

    await ask("Make admin");
    await dialog.getByRole("button", { name: "Make admin" }).click();
    await dialog.waitFor({ state: "hidden" });
    await ask("New sign-in link");
    await dialog.getByRole("button", { name: "Create link" }).click();
    const link = (await page.getByLabel("Sign-in link", { exact: true }).textContent()) ?? "";
    expect(await stored()).toMatchObject({ role: "admin", enabled: true, has_password: true, links: 1 });

    const linked = await gatehouse.page();
    await linked.goto(link);
    await linked.getByRole("button", { name: "Sign in" }).click();
    await linked.getByText("Your password has not changed").waitFor();
    await linked.getByRole("button", { name: "Change password" }).click();
    const save = async (chosen: string) => {
      await linked.getByLabel("New password", { exact: true }).fill(chosen);
      await linked.getByLabel("Confirm new password").fill(chosen);
      await linked.getByRole("button", { name: "Save password" }).click();
    };
    await save("chosen after the link");
    await linked.getByText("This link does not replace your password").waitFor();
    await linked.getByLabel("Current password").fill(password);
    await save("password123456");
    await linked.getByText("It is similar to a common password").waitFor();
    await save("chosen after the link");
    await linked.getByText("Your password has not changed").waitFor({ state: "hidden" });
  });

  it("operators see the complete command that creates the first member", async () => {
    const tenant = await gatehouse.tenant();
    const page = await gatehouse.signedIn("operator");
    await page.goto(`${gatehouse.origin}/organizations/${tenant.organizationUuid}/settings/members`);
    await page.getByText("No members yet").waitFor();
    await expect
      .poll(() => page.getByLabel("Command", { exact: true }).textContent())
      .toContain(`--organization ${tenant.organizationUuid}`);
  });

  it("a double click creates one organization", async () => {
    const page = await gatehouse.signedIn("operator");
    await page.goto(`${gatehouse.origin}/organizations`);
    await page.getByRole("button", { name: "Create organization" }).click();
    await page.getByRole("dialog").getByLabel("Name").fill("Clicked Twice Parking");
    await clickTwice(page.getByRole("button", { name: "Create", exact: true }));
    await page.waitForURL(/\/organizations\/[0-9a-f-]{36}/);
    const { rows } = await gatehouse.database.work.query(
      "select from organizations where name = 'Clicked Twice Parking'",
    );
    expect(rows).toHaveLength(1);
  });

  it("operators switch between organizations, and the address names the current one", async () => {
    const first = await gatehouse.tenant("Northwind Parking");
    const second = await gatehouse.tenant("Kestrel Parking");
    const page = await gatehouse.signedIn("operator");
    await page.goto(gatehouse.origin);
    await page.getByRole("heading", { name: "Health", exact: true }).waitFor();
    await page.getByRole("link", { name: "Northwind Parking" }).click();
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    expect(page.url()).toContain(first.organizationUuid);
    await page.getByRole("button", { name: "Northwind Parking" }).click();
    await page.getByRole("menuitem", { name: "Kestrel Parking" }).click();
    await page.getByRole("button", { name: "Kestrel Parking" }).waitFor();
    expect(page.url()).toContain(second.organizationUuid);
  });
});

describe("organizations", () => {
  it("can be paged and searched", async () => {
    await gatehouse.database.work.query(
      `insert into organizations (id, name)
       select gen_random_uuid(), 'Listed ' || to_char(number, 'FM000') from generate_series(1, 210) as number`,
    );
    const page = await gatehouse.signedIn("operator");
    await page.goto(`${gatehouse.origin}/organizations`);
    const find = page.getByRole("textbox", { name: "Name or UUID" });
    await find.fill("listed");
    // Applying the filter goes back to the first page, slightly after typing.
    await page.waitForURL(/query=listed$/);
    await page.getByRole("link", { name: "Listed 001" }).waitFor();
    await page.getByRole("button", { name: "5", exact: true }).click();
    await page.getByRole("link", { name: "Listed 210" }).waitFor();
    await find.fill("listed 105");
    await page.getByRole("link", { name: "Listed 105" }).waitFor();
    await expect.poll(() => page.getByRole("link", { name: /^Listed/ }).count()).toBe(1);
  });
});

describe("limits", () => {
  it("operators set them for an organization and for the leads of a key; members see them", async () => {
    const tenant = await gatehouse.tenant();
    const home = `${gatehouse.origin}/organizations/${tenant.organizationUuid}`;
    const [page, late] = [await gatehouse.signedIn("operator"), await gatehouse.signedIn("operator")];
    for (const one of [page, late]) await one.goto(`${home}/settings/limits`);
    await late.getByRole("button", { name: "Edit listImports" }).click();
    await late.getByLabel("Requests/seconds").fill("600/60");
    await page.getByRole("button", { name: "Edit importTransactions" }).click();
    const field = page.getByLabel("Requests/seconds");
    await field.fill("0/60");
    await page.getByRole("button", { name: "Save limit" }).click();
    await page.getByText("Enter requests/seconds such as 1000/60").waitFor();
    await field.fill("1000/60");
    await page.getByRole("button", { name: "Save limit" }).click();
    await page.getByText("The limit has been saved").waitFor();

    // The second person to save sees the first person's changes and loses nothing.
    await late.getByRole("button", { name: "Save limit" }).click();
    await late.getByRole("button", { name: "Reload" }).click();
    await late
      .getByRole("row", { name: /importTransactions.*1,000 requests per minute/ })
      .waitFor({ state: "attached" });
    await late.getByRole("button", { name: "Save limit" }).click();
    await late.getByText("The limit has been saved").waitFor();

    await page.goto(`${home}/settings/api-keys`);
    await page.getByRole("region", { name: "API keys" }).getByRole("link").first().click();
    await page.getByRole("button", { name: "Lead limit…" }).click();
    await page.getByLabel("Leads per address").fill("100/60");
    await page.getByRole("button", { name: "Save limit" }).click();
    await page.getByText("100 per address in 60 s").waitFor();

    const admin = await gatehouse.signedIn("admin", tenant);
    await admin.goto(`${home}/settings/limits`);
    await gatehouse.send("/integrations/accounts", tenant.apiKey, { accounts: [] });
    await admin.reload();
    const cells = (name: string) =>
      admin.getByRole("row").filter({ hasText: name }).getByRole("cell").allInnerTexts();
    await admin.getByRole("row", { name: /^importTransactions/ }).waitFor();
    expect(await cells("importTransactions")).toEqual([
      "importTransactions\nAll API keys together",
      "1,000 requests per minute\nOwn limit. Default: 60 requests per minute",
      "0, 0 %",
    ]);
    expect(await cells("importAccounts")).toEqual([
      "importAccounts\nAll API keys together",
      "60 requests per minute",
      "1, 2 %",
    ]);
    expect((await cells("submitLead")).slice(0, 1)).toEqual(["submitLead\nEach IP address"]);
    expect((await cells("submitLead")).at(-1)).toBe("not counted");
    expect((await cells("listImports"))[1]).toMatch(/^600 requests per minute/);
    await admin.getByRole("progressbar", { name: "importAccounts: 2 % of the limit" }).waitFor();
    expect(await admin.getByRole("button", { name: /^Edit/ }).count()).toBe(0);
    await admin.goto(home);
    await admin.getByText("0 of 1,000 requests per minute").waitFor();
  });
});

describe("an export of everything", () => {
  it("is downloaded by an admin in the settings", async () => {
    const tenant = await gatehouse.tenant();
    const page = await gatehouse.signedIn("admin", tenant);
    await page.goto(`${gatehouse.origin}/organizations/${tenant.organizationUuid}/settings/export`);
    const saved = page.waitForEvent("download");
    await page.getByRole("link", { name: "Export everything" }).click();
    const download = await saved;
    expect(download.suggestedFilename()).toBe(`organization-${tenant.organizationUuid}.ndjson`);
    const lines = (await text(await download.createReadStream())).trimEnd().split("\n");
    expect(JSON.parse(lines[0] as string)).toMatchObject({ kind: "head", lines: { location: 1 } });
    expect(JSON.parse(lines.at(-1) as string)).toMatchObject({ kind: "end" });
  });
});

describe("a change without a response", () => {
  it("is reported as possibly saved", async () => {
    const tenant = await gatehouse.tenant();
    const page = await gatehouse.signedIn("admin", tenant);
    await page.goto(`${gatehouse.origin}/organizations/${tenant.organizationUuid}/settings/forms`);
    await page.getByLabel("Honeypot field").fill("website");
    await page.context().setOffline(true);
    await page.getByRole("button", { name: "Save settings" }).click();
    await page.getByText("your change may or may not have been saved").waitFor();
  });
});

describe("the sandbox", () => {
  it("runs a sample on the live service and shows request and response side by side", async () => {
    const tenant = await gatehouse.tenant("Demo", { isDemo: true });
    const page = await gatehouse.signedIn("admin", tenant);
    await page.goto(`${gatehouse.origin}/organizations/${tenant.organizationUuid}/sandbox`);
    const sample = page.getByRole("article").filter({ hasText: "LocationNotFound" });
    await sample.getByRole("button", { name: "Run" }).click();
    await sample.getByText("200", { exact: true }).waitFor();
    await expect
      .poll(() => sample.getByLabel("Response", { exact: true }).textContent())
      .toContain('"reasonCode": 2');
    await expect
      .poll(() => sample.getByLabel("Request", { exact: true }).textContent())
      .toContain('"transactions"');

    await page.getByRole("button", { name: "Reset to sample data" }).click();
    await page.getByRole("button", { name: "Reset", exact: true }).click();
    await page.getByText(/rows? deleted/).waitFor();
  });
});

describe("the organization", () => {
  it("can be renamed, and viewers only see its name", async () => {
    const tenant = await gatehouse.tenant("Old name");
    const page = await gatehouse.signedIn("admin", tenant);
    const general = `${gatehouse.origin}/organizations/${tenant.organizationUuid}/settings/general`;
    await page.goto(general);
    await page.getByRole("textbox", { name: "Name" }).fill("New name");
    await page.getByRole("button", { name: "Rename" }).click();
    await page.getByText("The organization has been renamed.").waitFor();
    await page.getByRole("complementary").getByText("New name").waitFor();

    const viewer = await gatehouse.signedIn("viewer", tenant);
    await viewer.goto(general);
    await viewer.getByRole("tabpanel").getByText("New name").waitFor();
    expect(await viewer.getByRole("button", { name: "Rename" }).count()).toBe(0);
  });
});

describe("leads", () => {
  it("are filtered by UTC days", async () => {
    const tenant = await gatehouse.tenant();
    const page = await gatehouse.signedIn("viewer", tenant);
    for (const path of ["leads", "imports"]) {
      await page.goto(`${gatehouse.origin}/organizations/${tenant.organizationUuid}/${path}`);
      await page.getByRole("button", { name: "Filter", exact: true }).click();
      await page.getByRole("menuitem", { name: "Dates (UTC)" }).click();
      await page.getByLabel("From (UTC)").fill("2026-04-01");
      await page.getByLabel("To (UTC)").fill("2026-04-02");
      await expect.poll(() => new URL(page.url()).search).toBe("?from=2026-04-01&to=2026-04-02");
    }
  });

  it("are removed from quarantine, and exported as filtered", async () => {
    const tenant = await gatehouse.tenant();
    await gatehouse.send("/lead/submit", tenant.apiKey, {
      email: "jo@example.com",
      locationUuid: tenant.locationUuid,
    });
    await gatehouse.database.work.query("update leads set state = 'quarantined' where organization_id = $1", [
      tenant.organizationUuid,
    ]);
    const page = await gatehouse.signedIn("admin", tenant);
    await page.goto(`${gatehouse.origin}/organizations/${tenant.organizationUuid}/leads?state=quarantined`);
    await page.getByRole("button", { name: "Export" }).click();
    const href = await page.getByRole("menuitem", { name: /^CSV/ }).getAttribute("href");
    await page.keyboard.press("Escape");
    expect(href).toContain("leads.csv?state=quarantined");
    await page.getByRole("link", { name: "jo@example.com" }).click();
    await page.getByRole("button", { name: "Remove from quarantine" }).click();
    await page.getByText("The lead has been removed from quarantine.").waitFor();
    await page.getByRole("button", { name: "Move to quarantine" }).click();
    await page.getByText(/^admin-\d+@example.com moved this lead to quarantine/).waitFor();
    expect(await page.getByText("probably a bot").count()).toBe(0);
  });
});

describe("retention and storage", () => {
  it("a shorter period shows what it deletes, requires a typed confirmation, and can be cancelled", async () => {
    const tenant = await gatehouse.tenant();
    const home = `${gatehouse.origin}/organizations/${tenant.organizationUuid}`;
    for (const name of ["a", "b", "c"]) {
      const lead = { email: `${name}@example.com`, locationUuid: tenant.locationUuid };
      expect((await gatehouse.send("/lead/submit", tenant.apiKey, lead)).status).toBe(200);
    }
    const admin = await gatehouse.signedIn("admin", tenant);
    await admin.goto(`${home}/settings/retention`);
    await admin.getByLabel("Leads", { exact: true }).fill("1");
    await admin.getByRole("button", { name: "Save retention" }).click();
    const dialog = admin.getByRole("dialog", { name: "Delete stored data?" });
    await dialog.getByText("3 leads").waitFor();
    const save = dialog.getByRole("button", { name: "Save and delete" });
    expect(await save.isDisabled()).toBe(true);
    await dialog.getByLabel("Type delete to confirm").fill("delete");
    await save.click();
    await admin.getByText(/^Deletes 3 leads after \w{3} \d+, \d\d:\d\d UTC/).waitFor();
    const viewer = await gatehouse.signedIn("viewer", tenant);
    await viewer.goto(`${home}/settings/retention`);
    await viewer.getByText(/^Deletes 3 leads after/).waitFor();
    expect(await viewer.getByRole("button", { name: "Cancel: leads" }).count()).toBe(0);
    await admin.getByRole("button", { name: "Cancel: leads" }).click();
    await admin.getByText("The change has been cancelled.").waitFor();
    await expect.poll(() => admin.getByText(/^Deletes 3 leads/).count()).toBe(0);
  });

  it("admins and operators change them, and every member sees what is stored", async () => {
    const tenant = await gatehouse.tenant();
    const home = `${gatehouse.origin}/organizations/${tenant.organizationUuid}`;
    const admin = await gatehouse.signedIn("admin", tenant);
    await admin.goto(`${home}/settings/retention`);
    await admin.getByLabel("Leads", { exact: true }).fill("0");
    await admin.getByRole("button", { name: "Save retention" }).click();
    await admin.getByText("Enter a whole number of days from 1 to 36500").waitFor();
    await admin.getByLabel("Leads", { exact: true }).fill("90");
    await admin.getByLabel("Remember deleted IDs").check();
    await admin.getByRole("button", { name: "Save retention" }).click();
    await admin.getByText("Retention has been saved").waitFor();
    await admin.reload();
    await expect.poll(() => admin.getByLabel("Leads", { exact: true }).inputValue()).toBe("90");
    expect(await admin.getByLabel("Remember deleted IDs").isChecked()).toBe(true);

    // Measure now, because the service measures only periodically.
    await measureStorage(gatehouse.database.console, tenant.organizationUuid);
    const operator = await gatehouse.signedIn("operator");
    await operator.goto(`${home}/settings/storage`);
    await operator.getByText("about once an hour, last").waitFor();
    await operator.getByRole("row", { name: /^Transactions 0 / }).waitFor();
    const accounts = [{ tpReferenceId: "A-1", name: "Acme" }];
    await gatehouse.send("/integrations/accounts", tenant.apiKey, { accounts });
    await operator.reload();
    await operator.getByRole("row", { name: /^All records 1 / }).waitFor();
    await operator.getByRole("row", { name: /^Records No quota 1 / }).waitFor();
    await operator.getByRole("button", { name: "Edit Records" }).click();
    const quota = operator.getByRole("dialog").getByLabel("Records", { exact: true });
    await quota.fill("0");
    await operator.getByRole("button", { name: "Save quota" }).click();
    await operator.getByText("Enter a whole number from 1 to").waitFor();
    await quota.fill("1000");
    await operator.getByRole("button", { name: "Save quota" }).click();
    await operator.getByText("The quota has been saved").waitFor();
    await admin.goto(`${home}/settings/storage`);
    await admin
      .getByRole("row", { name: /^Records 1,000 records Own limit. Default: No quota 1, < 1 %/ })
      .waitFor();
    expect(await admin.getByRole("button", { name: /^Edit/ }).count()).toBe(0);
  });
});
