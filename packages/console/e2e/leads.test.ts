import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { filterBy, openConsole, settled, type Tenant } from "./harness.js";

const gatehouse = openConsole();
const homeOf = (tenant: Tenant) => `${gatehouse.origin}/organizations/${tenant.organizationUuid}`;

async function submit(tenant: Tenant, fields: object): Promise<string> {
  const lead = { locationUuid: tenant.locationUuid, ...fields };
  const answer = await gatehouse.send("/lead/submit", tenant.apiKey, lead);
  expect(answer.status).toBe(200);
  return (answer.json as { leadUuid: string }).leadUuid;
}

describe("working on leads", () => {
  it("leads are changed in bulk, annotated, protected from concurrent edits, and erased with the person", async () => {
    const tenant = await gatehouse.tenant();
    const kim = await submit(tenant, { email: "kim@example.com", phone: "+1 555 010 7777" });
    await submit(tenant, { email: "kim@work.example", phone: "+1-555-010-7777" });
    await submit(tenant, { email: "sam@example.com" });
    const home = homeOf(tenant);
    const page = await gatehouse.signedIn("admin", tenant);
    await page.goto(`${home}/leads`);
    await page.getByRole("row", { name: /kim@work\.example 2 from this person/ }).waitFor();
    for (const email of ["kim@example.com", "sam@example.com"])
      await page.getByRole("checkbox", { name: `Select the lead of ${email}` }).check();
    await page.getByText("2 selected").waitFor();
    await page.getByRole("button", { name: "Set status" }).click();
    await page.getByRole("menuitem", { name: "Contacted" }).click();
    await page.getByText("2 leads changed.").waitFor();
    await page.getByRole("row", { name: /sam@example.com.*Contacted/ }).waitFor();
    await filterBy(page, "Status", "Contacted");
    await expect.poll(() => page.getByRole("row").count()).toBe(3);
    expect(page.url()).toContain("workState=contacted");
    await page.getByRole("button", { name: "Export" }).click();
    const files = page.getByRole("menuitem", { name: /^NDJSON/ });
    await expect.poll(() => files.getAttribute("href")).toContain("leads.ndjson?workState=contacted");
    await page.keyboard.press("Escape");

    await page.getByRole("link", { name: "kim@example.com" }).click();
    await page.getByRole("heading", { name: "2 leads from this person" }).waitFor();
    await page.getByLabel("New note").fill("Called back,\nwants two spaces");
    await page.getByRole("button", { name: "Add note" }).click();
    await page.getByRole("listitem").filter({ hasText: "wants two spaces" }).waitFor();
    await expect.poll(() => page.getByLabel("New note").inputValue()).toBe("");

    const colleague = await gatehouse.signedIn("admin", tenant);
    await colleague.goto(`${home}/leads/${kim}`);
    await colleague.getByText("wants two spaces").waitFor();
    expect(await colleague.getByRole("button", { name: "Remove", exact: true }).count()).toBe(0);
    await colleague.getByRole("radiogroup", { name: "Status" }).getByText("Closed").click();
    await colleague.getByText(/^Set by admin/).waitFor();
    await expect.poll(() => colleague.getByRole("radio", { name: "Closed" }).isChecked()).toBe(true);
    await page.getByRole("radiogroup", { name: "Status" }).getByText("New").click();
    await page.getByText("Your change was not saved").waitFor();
    await expect.poll(() => page.getByRole("radio", { name: "Closed" }).isChecked()).toBe(true);

    await gatehouse.database.work.query(
      "insert into person_erasures (organization_id, person_hash, begun_at) values ($1, '', now() - interval '50 hours')",
      [tenant.organizationUuid],
    );
    await page.getByRole("link", { name: "Export or erase this person" }).click();
    await page.getByText(/1 erasure has not finished.*\(2 days ago\)/).waitFor();
    // The number in a form need not be the sender's, and the page's URL contains no personal data.
    await expect.poll(() => page.getByLabel("Email address").inputValue()).toBe("kim@example.com");
    await expect.poll(() => page.getByLabel("Phone number").inputValue()).toBe("");
    expect(page.url()).toBe(`${home}/people`);
    await page.getByLabel("Phone number").fill("+1 555 010 7777");
    await page.getByRole("button", { name: "Find" }).click();
    await page.getByRole("heading", { name: "kim@example.com, +1 555 010 7777" }).waitFor();
    await page.getByText("2 (1 by email, 2 by phone)").waitFor();
    await page.getByText("Several people may share a phone number").waitFor();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Export JSON", exact: true }).click(),
    ]);
    const exported = JSON.parse(await text(await download.createReadStream()));
    expect(exported.leads).toHaveLength(2);
    expect(JSON.stringify(exported)).toContain("wants two spaces");
    await page.getByRole("button", { name: "Erase…" }).click();
    const dialog = page.getByRole("dialog", { name: "Erase this person?" });
    await dialog.getByText("2 leads and 1 team note will be deleted").waitFor();
    await expect.poll(() => dialog.getByRole("button", { name: "Erase person" }).isDisabled()).toBe(true);
    await dialog.getByLabel("Type kim@example.com to confirm").fill("kim@example.com");
    await expect.poll(() => dialog.getByRole("button", { name: "Erase person" }).isDisabled()).toBe(true);
    await dialog.getByLabel("Type +1 555 010 7777 to confirm").fill("+1 555 010 7777");
    await dialog.getByRole("button", { name: "Erase person" }).click();
    await page.getByText(/^2 leads, 1 team note, 0 contacts/).waitFor();
    // The pages that showed the person are not shown from memory, and the form is empty.
    await expect.poll(() => page.getByLabel("Email address").inputValue()).toBe("");
    await page.goBack();
    await page.getByText("It may have been deleted").waitFor();
    expect(await page.content()).not.toContain("kim@");
    await page.getByRole("navigation").getByRole("link", { name: "Leads" }).click();
    await page.getByRole("row", { name: /sam@example.com/ }).waitFor();
    expect(await page.getByRole("row").count()).toBe(2);
    expect(await page.content()).not.toContain("kim@");
    // A colleague's page notices it with the next request.
    await colleague.getByRole("radiogroup", { name: "Status" }).getByText("New").click();
    await colleague.getByText("It may have been deleted").waitFor();
    expect(await colleague.content()).not.toContain("kim@");
  });

  it("the page of a lead begins with the message, has links to write and to call, and leads on in the filtered list", async () => {
    const tenant = await gatehouse.tenant("Harbour & Sons");
    const ours = { companyName: "Ours" };
    const oldest = await submit(tenant, { email: "oldest@example.com", ...ours });
    const middle = await submit(tenant, {
      email: "o'neil?x&y@example.com",
      phone: "+1 (555) 010-7777",
      notes: "Two spaces,\nplease",
      ...ours,
    });
    await submit(tenant, { email: "other@example.com" });
    const newest = await submit(tenant, { email: "newest@example.com", ...ours });
    const page = await gatehouse.signedIn("admin", tenant);
    await page.goto(`${homeOf(tenant)}/leads?text=ours`);
    await page.getByRole("row", { name: /newest@example.com/ }).click();
    await page.waitForURL(`**/leads/${newest}?text=ours`);
    await page.getByText("The visitor left no message.").waitFor();
    await page.getByRole("link", { name: "Next lead" }).click();
    await page.waitForURL(`**/leads/${middle}?text=ours`);
    const links = page.getByRole("main").getByRole("link");
    await page.getByText("Two spaces,").waitFor();
    await expect
      .poll(() => links.filter({ hasText: "o'neil" }).getAttribute("href"))
      .toBe(
        "mailto:o'neil%3Fx%26y@example.com?subject=Your%20request%3A%20Battery%20Park%20Garage%2C%20Harbour%20%26%20Sons",
      );
    expect(await links.filter({ hasText: "+1 (555)" }).getAttribute("href")).toBe("tel:+15550107777");
    await page.getByRole("link", { name: "Next lead" }).click();
    await page.waitForURL(`**/leads/${oldest}?text=ours`);
    await page.getByRole("link", { name: "Next lead" }).waitFor({ state: "detached" });
    await page.getByRole("link", { name: "Previous lead" }).click();
    await page.waitForURL(`**/leads/${middle}?text=ours`);

    const boxOf = async (name: string) => {
      const box = await page.getByRole("heading", { name, exact: true }).boundingBox();
      return box ?? { x: 0, y: 0 };
    };
    await page.getByText("Two spaces,").waitFor();
    const [message, contact, status] = [
      await boxOf("Message"),
      await boxOf("Contact"),
      await boxOf("Status"),
    ];
    expect(message.y).toBeLessThan(contact.y);
    expect(status.x).toBeGreaterThan(message.x);
    expect(status.y).toBeLessThan(contact.y);
    await page.setViewportSize({ width: 390, height: 844 });
    await expect.poll(async () => (await boxOf("Status")).y > (await boxOf("Origin")).y).toBe(true);
  });

  it("leads are assigned on their page and in bulk, are found by assignee, and become free when the member leaves", async () => {
    const tenant = await gatehouse.tenant();
    const home = homeOf(tenant);
    const one = await submit(tenant, { email: "one@example.com" });
    await submit(tenant, { email: "two@example.com" });
    await submit(tenant, { email: "three@example.com" });
    const bob = await gatehouse.person("viewer", tenant);
    const page = await gatehouse.signedIn("admin", tenant);
    const colleague = await gatehouse.signedIn("admin", tenant);
    const menu = page.getByRole("navigation");
    await page.goto(`${home}/leads/${one}`);
    await menu.getByRole("link", { name: "Leads 3 new" }).waitFor();
    await colleague.goto(`${home}/leads/${one}`);
    await colleague.getByRole("combobox", { name: "Assigned to" }).waitFor();
    await page.getByRole("combobox", { name: "Assigned to" }).click();
    await page.getByRole("option", { name: /^Me/ }).click();
    await page.getByText(/^Assigned to admin/).waitFor();
    await page.getByRole("radiogroup", { name: "Status" }).getByText("Contacted").click();
    await page.getByText("Status: Contacted").waitFor();
    await menu.getByRole("link", { name: "Leads 2 new" }).waitFor();
    // The colleague's page shows the lead before both changes.
    await colleague.getByRole("combobox", { name: "Assigned to" }).click();
    await colleague.getByRole("option", { name: bob }).click();
    await colleague.getByText("Your change was not saved").waitFor();
    await colleague.getByText(/^Assigned to admin/).waitFor();

    await menu.getByRole("link", { name: "Leads" }).click();
    for (const email of ["two@example.com", "three@example.com"])
      await page.getByRole("checkbox", { name: `Select the lead of ${email}` }).check();
    await page.getByRole("combobox", { name: "Assign to" }).click();
    await page.getByRole("option", { name: bob }).click();
    await page.getByText("2 leads changed.").waitFor();
    await page
      .getByRole("row", { name: /two@example.com/ })
      .filter({ hasText: bob })
      .waitFor();
    await filterBy(page, "Assigned to", /^Me/);
    await expect.poll(() => page.getByRole("row").count()).toBe(2);
    await page.getByRole("row", { name: /one@example.com/ }).waitFor();
    expect(page.url()).toContain("assignee=me");

    await page.goto(`${home}/settings/members`);
    await page.getByRole("row", { name: bob }).getByRole("button").last().click();
    await page.getByRole("menuitem", { name: /Remove/ }).click();
    await page
      .getByRole("dialog")
      .getByRole("button", { name: /Remove/ })
      .click();
    await page.getByRole("row", { name: bob }).waitFor({ state: "detached" });
    await page.goto(`${home}/leads?assignee=unassigned`);
    await page.getByRole("row", { name: /two@example.com/ }).waitFor();
    await expect.poll(() => page.getByRole("row").count()).toBe(3);

    const viewer = await gatehouse.signedIn("viewer", tenant);
    await viewer.goto(`${home}/leads/${one}`);
    await viewer.getByRole("heading", { name: "Message" }).waitFor();
    expect(await viewer.getByRole("combobox", { name: "Assigned to" }).count()).toBe(0);
    expect(await viewer.getByRole("heading", { name: "History" }).count()).toBe(0);
  });

  it("new leads wait behind a button, so that no row of the open list moves", async () => {
    const tenant = await gatehouse.tenant();
    await submit(tenant, { email: "first@example.com" });
    const page = await gatehouse.signedIn("viewer", tenant);
    await page.goto(`${homeOf(tenant)}/leads`);
    const row = page.getByRole("row", { name: /first@example.com/ });
    const before = await row.boundingBox();
    await submit(tenant, { email: "second@example.com" });
    await page.getByRole("button", { name: "Show 1 new" }).waitFor();
    expect(await row.boundingBox()).toEqual(before);
    expect(await page.getByRole("row").count()).toBe(2);
    await page.getByRole("button", { name: "Show 1 new" }).click();
    await page.getByRole("row", { name: /second@example.com/ }).waitFor();
    await page.getByText(/^Updated/).waitFor();
  });

  it("leads are paged in both directions, read-only for viewers, and an empty list explains the first step", async () => {
    const tenant = await gatehouse.tenant();
    const home = homeOf(tenant);
    const admin = await gatehouse.signedIn("admin", tenant);
    await admin.goto(`${home}/leads`);
    await admin.getByRole("link", { name: "Create an API key for your form" }).click();
    await admin.getByRole("button", { name: "Create New API Key" }).waitFor();

    const lead = await submit(tenant, { email: "newest@example.com" });
    await gatehouse.database.work.query(
      `insert into leads (organization_id, id, location_id, email, email_key, api_key_id, address, created_at)
       select organization_id, ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, location_id,
              'older-' || n || '@example.com', 'older-' || n || '@example.com', api_key_id, address, '2020-01-01'
       from leads, generate_series(1, 60) as n where id = $1`,
      [lead],
    );
    const page = await gatehouse.signedIn("viewer", tenant);
    await page.goto(`${home}/leads`);
    await page.getByText("newest@example.com").waitFor();
    await page.getByRole("button", { name: "Older" }).click();
    await page.getByText("older-1@example.com").waitFor();
    await page.getByRole("button", { name: "Newer" }).click();
    await page.getByText("newest@example.com").waitFor();
    expect(await page.getByRole("checkbox").count()).toBe(0);
    await page.getByRole("link", { name: "newest@example.com" }).click();
    await page.getByText("No one has worked on this lead yet.").waitFor();
    expect(await page.getByRole("radio").count()).toBe(0);
    expect(await page.getByLabel("New note").count()).toBe(0);
    expect(await page.getByRole("link", { name: "Personal data" }).count()).toBe(0);
    await page.goto(`${home}/people`);
    await page.getByText("Your role does not allow this").waitFor();

    await admin.goto(`${home}/leads?text=unmatched`);
    await admin.getByRole("button", { name: "Clear filters" }).click();
    await settled(admin);
    await admin.getByText("newest@example.com").waitFor();
  });
});
