import { randomUUID } from "node:crypto";
import { expect, onTestFinished, test, vi } from "vitest";
import { useApp } from "../../../testing/harness.js";
import { configure } from "../../../testing/retention.js";

const gatehouse = useApp();

async function submitter() {
  const tenant = await gatehouse.tenant();
  const submit = (idempotencyKey: string | undefined, fields: object = {}) =>
    gatehouse.send({
      method: "POST",
      url: "/lead/submit",
      key: tenant.apiKey,
      headers: {
        "content-type": "application/json",
        ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }),
      },
      payload: JSON.stringify({ email: "jo@example.com", locationUuid: tenant.locationUuid, ...fields }),
    });
  const leads = async () => {
    const { rows } = await gatehouse.database.work.query("select id from leads where organization_id = $1", [
      tenant.organizationId,
    ]);
    return rows;
  };
  return { ...tenant, submit, leads };
}

/** @covers reading 49 */
test("the same key and lead get the same answer and one stored lead, and another lead gets 422", async () => {
  const { submit, leads } = await submitter();
  const first = await submit("a key", { firstName: "Jo", metadata: { a: 1 } });
  const replay = await submit("a key", { metadata: { a: 1 }, firstName: "Jo" });
  expect([replay.status, replay.json]).toEqual([200, first.json]);
  for (const other of [{ firstName: "Jo" }, { firstName: "Jo", metadata: { a: 2 } }, { lastName: "Jo" }]) {
    const answer = await submit("a key", other);
    expect([answer.status, answer.json]).toEqual([
      422,
      expect.objectContaining({ success: false, errors: [expect.any(String)] }),
    ]);
  }
  expect(await leads()).toEqual([{ id: first.json.leadUuid }]);
});

/** @covers reading 49 */
test("of many concurrent requests one stores the lead, and all get its leadUuid", async () => {
  const { submit, leads } = await submitter();
  const key = randomUUID();
  const answers = await Promise.all(Array.from({ length: 20 }, () => submit(key)));
  expect(answers.map((answer) => answer.status)).toEqual(Array(20).fill(200));
  expect(await leads()).toEqual([{ id: answers[0]?.json.leadUuid }]);
  expect(new Set(answers.map((answer) => answer.text)).size).toBe(1);
});

/** @covers reading 49 */
test("of different leads with one key at the same moment, one is stored and the others get 422", async () => {
  const { submit, leads } = await submitter();
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, index) => submit("one key", { firstName: `Jo ${index}` })),
  );
  expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, ...Array(9).fill(422)]);
  expect(await leads()).toHaveLength(1);
});

test("a failed first attempt leaves nothing behind", async () => {
  const { submit, leads } = await submitter();
  expect((await submit("retry", { email: "no" })).status).toBe(400);
  expect((await submit("retry", { locationUuid: randomUUID() })).status).toBe(400);
  expect((await submit("retry")).status).toBe(200);
  expect(await leads()).toHaveLength(1);
});

test("a key belongs to its organization and is case-sensitive", async () => {
  const one = await submitter();
  const other = await submitter();
  const answers = [await one.submit("k"), await other.submit("k"), await one.submit("K")];
  expect(new Set(answers.map((answer) => answer.json.leadUuid)).size).toBe(3);
});

test("a key has 1 to 255 printable characters; otherwise 400, together with all other violations", async () => {
  const { submit } = await submitter();
  expect((await submit("k".repeat(255))).status).toBe(200);
  for (const key of ["k".repeat(256), "", "tab\there", "ü"]) {
    expect((await submit(key)).json.errors).toEqual([
      "Idempotency-Key must have 1 to 255 printable characters",
    ]);
  }
  expect((await submit("", { email: null })).json.errors).toEqual([
    "email is required",
    "Idempotency-Key must have 1 to 255 printable characters",
  ]);
});

test("of two equal requests for the last place of a quota, the second gets the answer of the first", async () => {
  const { submit, ...tenant } = await submitter();
  await configure(gatehouse, tenant, { quotas: { leadsPerDay: 1 } });
  const { work } = gatehouse.database;
  const asked = vi.spyOn(work, "query");
  onTestFinished(() => asked.mockRestore());
  /**
   * How often an earlier lead of the key was looked up: by both requests on arrival, and by the first again
   * in its turn.
   */
  const looked = () =>
    asked.mock.settledResults.filter(
      ({ type }, call) =>
        type === "fulfilled" &&
        (asked.mock.calls[call]?.[0] as { name?: string } | undefined)?.name === "find-earlier-lead",
    ).length;
  const holder = await work.connect();
  const answers = [];
  try {
    await holder.query("begin");
    // Inserts of leads wait from now on.
    await holder.query("lock table leads in share mode");
    answers.push(submit("the last"), submit("the last"));
    await expect.poll(looked).toBe(3);
  } finally {
    await holder.query("rollback");
    holder.release();
  }
  const [first, second] = await Promise.all(answers);
  expect([second?.status, second?.text]).toEqual([200, first?.text]);
  expect((await submit("another")).status).toBe(403);
});
