import { expect, test } from "vitest";
import { requestTo } from "../../../../testing/console-requests.js";
import { ownPage, signedIn } from "../../../../testing/console.js";
import { useApp } from "../../../../testing/harness.js";
import { isPersonalOperation, preparePersonalOperation } from "../../../../testing/personal-operations.js";
import { renewSampleFiles } from "../../../../testing/sample-files.js";
import { sampleOrganization } from "../../../../testing/sample-organization.js";
import { useInterface } from "../../../../testing/use-interface.js";
import { consoleOperations, type ConsoleOperationName } from "@gatehouse-parking/contract/console";
import { verifyStoredData } from "../../../../testing/verify.js";
import { tableKinds } from "../table-kinds.js";

/**
 * A named statement is prepared once per connection. If its result changes with a table (`select *`), PostgreSQL
 * rejects it permanently after a newer release has added a column (0A000).
 */
const gatehouse = useApp();

async function useConsole(): Promise<void> {
  const organization = await sampleOrganization(gatehouse, { isDemo: true });
  const operator = await signedIn(gatehouse, "operator");
  const names = (Object.keys(consoleOperations) as ConsoleOperationName[]).filter(
    (name) => consoleOperations[name].role !== "public",
  );
  const member = await signedIn(gatehouse, "viewer", organization.organizationId);
  // Users invited by the first run.
  await gatehouse.database.work.query("delete from users where email_key = 'new@example.com'");
  for (const name of names) {
    const person = isPersonalOperation(name) ? await signedIn(gatehouse, "operator") : operator;
    if (/Upload|Mapping/.test(name)) await renewSampleFiles(gatehouse, organization, name);
    const request = requestTo(name, organization, member.userId);
    const answer = await gatehouse.send({
      ...request,
      ...(await preparePersonalOperation(gatehouse, name, person, organization)),
      headers: { ...ownPage, ...request.headers, cookie: person.cookie },
    });
    expect(answer.status, `${name}: ${answer.text}`).toBeLessThan(300);
  }
}

async function useAll(): Promise<void> {
  await useInterface(gatehouse);
  await useConsole();
  expect(await verifyStoredData(gatehouse.connectionString)).toMatchObject({ ok: true });
}

test("open connections survive a new column in every table", async () => {
  await useAll();
  const { work } = gatehouse.database;
  const client = await work.connect();
  const planted = { name: "planted", text: "select * from leads" };
  await client.query(planted);
  for (const table of Object.keys(tableKinds))
    await client.query(`alter table ${table} add column added_later text`);
  // This is how one of the service's statements would fail.
  await expect(client.query(planted)).rejects.toMatchObject({ code: "0A000" });
  client.release();

  await useAll();
});
