import { headerShape, toMapping } from "@gatehouse-parking/record-files";
import { expect, test } from "vitest";
import { signedIn, type Visitor } from "../../../testing/console.js";
import { useApp } from "../../../testing/harness.js";
import { waitingForLocks } from "../../../testing/waiting-for-locks.js";
import { maxMappings } from "./mappings.js";

const gatehouse = useApp();

async function keeper(): Promise<{ admin: Visitor; mappings: string; organizationId: string }> {
  const { organizationId } = await gatehouse.tenant();
  const admin = await signedIn(gatehouse, "admin", organizationId);
  return { admin, mappings: `/organizations/${organizationId}/mappings`, organizationId };
}

const columns = ["Ticket", "Paid at", "Amount"];
const mapping = {
  columns: {
    Ticket: "transactionId",
    "Paid at": { to: "transactionDate", time: "MM/dd/yyyy h:mm a" },
    Amount: "amountTotal",
  },
  constants: { type: "Transient" },
  number: "$1,234.50",
  timeZone: "America/Chicago",
};
const garage = { name: "Garage system", resource: "transactions", columns, mapping };

test("a mapping is saved and offered for files with the same columns in any order and case", async () => {
  const { admin, mappings } = await keeper();
  const kept = (await admin.post(mappings, garage)).json;
  expect(kept).toMatchObject({ ...garage, changedBy: admin.email });
  await admin.post(mappings, { ...garage, name: "Another", columns: ["Ticket"] });
  const shape = headerShape(["amount", "TICKET ", "paid  at"]);
  const offered = (await admin.get(`${mappings}?resource=transactions&shape=${shape}`)).json.data;
  expect(offered.map(({ name }: { name: string }) => name)).toEqual(["Garage system"]);
  expect((await admin.get(`${mappings}?resource=accounts&shape=${shape}`)).json.data).toEqual([]);
  expect((await admin.get(mappings)).json.data).toHaveLength(2);
  expect((await admin.get(`${mappings}/${kept.uuid}`)).json).toEqual(kept);
});

test("a mapping is downloaded as a file for gatehouse-push", async () => {
  const { admin, mappings } = await keeper();
  const { uuid } = (await admin.post(mappings, garage)).json;
  const file = await admin.get(`${mappings}/${uuid}/mapping.json`);
  expect(file.headers["content-disposition"]).toBe('attachment; filename="mapping.json"');
  expect(JSON.parse(file.text)).toEqual(mapping);
  expect(toMapping(JSON.parse(file.text)).timeZone).toBe("America/Chicago");
});

test("a mapping is changed only in the version that was read, and the audit log names the user", async () => {
  const { admin, mappings, organizationId } = await keeper();
  const { uuid, version } = (await admin.post(mappings, garage)).json;
  const changed = await admin.patch(`${mappings}/${uuid}`, { name: "Renamed", version });
  expect(changed.json).toMatchObject({ ...garage, name: "Renamed" });
  expect((await admin.patch(`${mappings}/${uuid}`, { name: "Late", version })).json).toMatchObject({
    code: "changedMeanwhile",
  });
  expect((await admin.delete(`${mappings}/${uuid}`)).status).toBe(204);
  expect((await admin.get(`${mappings}/${uuid}`)).status).toBe(404);
  const { data } = (await admin.get(`/organizations/${organizationId}/audit`)).json;
  expect(
    data.map(({ action }: { action: string }) => action).filter((text: string) => text.startsWith("mapping")),
  ).toEqual(["mapping.remove", "mapping.update", "mapping.create"]);
});

test("of concurrent removals and changes of a mapping, one removal succeeds and the others get an error", async () => {
  const { admin, mappings, organizationId } = await keeper();
  const { uuid } = (await admin.post(mappings, garage)).json;
  const another = await signedIn(gatehouse, "admin", organizationId);
  const { work } = gatehouse.database;
  const holder = await work.connect();
  const answers: ReturnType<Visitor["get"]>[] = [];
  const comeAlong = async (answer: (typeof answers)[number]): Promise<void> => {
    answers.push(answer);
    await expect.poll(() => waitingForLocks(gatehouse)).toBe(answers.length);
  };
  try {
    await holder.query("begin");
    await holder.query("select from mappings where organization_id = $1 and id = $2 for update", [
      organizationId,
      uuid,
    ]);
    await comeAlong(admin.delete(`${mappings}/${uuid}`));
    await comeAlong(admin.delete(`${mappings}/${uuid}`));
    await comeAlong(another.patch(`${mappings}/${uuid}`, { name: "Renamed" }));
  } finally {
    await holder.query("rollback");
    holder.release();
  }
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([204, 404, 404]);
  const { data } = (await admin.get(`/organizations/${organizationId}/audit`)).json;
  const removals = data.filter(({ action }: { action: string }) => action === "mapping.remove");
  expect(removals).toHaveLength(1);
});

test("a change during an erasure does not restore erased data", async () => {
  const { admin, mappings, organizationId } = await keeper();
  const { uuid } = (await admin.post(mappings, garage)).json;
  const { work } = gatehouse.database;
  const holder = await work.connect();
  let answer: ReturnType<Visitor["get"]> | undefined;
  try {
    await holder.query("begin");
    await holder.query("select from mappings where organization_id = $1 and id = $2 for update", [
      organizationId,
      uuid,
    ]);
    answer = admin.patch(`${mappings}/${uuid}`, { name: "Renamed" });
    await expect.poll(() => waitingForLocks(gatehouse)).toBe(1);
    await holder.query("update mappings set mapping = '{}' where id = $1", [uuid]);
  } finally {
    await holder.query("commit");
    holder.release();
  }
  const { json } = await answer;
  expect([json.name, json.mapping]).toEqual(["Renamed", {}]);
});

test("mapping names are unique in any case, and an invalid mapping is rejected", async () => {
  const { admin, mappings } = await keeper();
  await admin.post(mappings, garage);
  const refused = [
    [{ ...garage, name: "GARAGE system" }, "A mapping named GARAGE system already exists"],
    [
      { ...garage, name: "Other", mapping: { number: "12" } },
      /"number" must show how the file writes 1234.50/,
    ],
    [{ ...garage, name: " " }, "name must not be empty"],
    [{ ...garage, name: "x".repeat(129) }, /at most 128/],
  ] as const;
  for (const [body, says] of refused) {
    const { status, json } = await admin.post(mappings, body);
    expect({ status, code: json.code }).toEqual({ status: 400, code: "invalid" });
    expect(json.errors[0]).toMatch(says);
  }
  // In another organization the name is free.
  const elsewhere = await keeper();
  expect((await elsewhere.admin.post(elsewhere.mappings, garage)).status).toBe(200);
});

test("the number of mappings per organization is limited", async () => {
  const { admin, mappings, organizationId } = await keeper();
  await gatehouse.database.work.query(
    `insert into mappings (organization_id, id, name, name_key, resource, shape, columns, mapping, changed_by)
     select $1, gen_random_uuid(), n::text, n::text, 1, '', '[]', '{}', 'test' from generate_series(1, $2::int) as n`,
    [organizationId, maxMappings],
  );
  const refused = await admin.post(mappings, garage);
  expect(refused.json).toMatchObject({ code: "conflict" });
  expect(refused.json.errors[0]).toMatch(/has 200 mappings, which is the maximum/);
});
