import { beforeAll, expect, test, vi } from "vitest";
import { signedIn, type Visitor } from "../../../testing/console.js";
import { useApp, type Tenant } from "../../../testing/harness.js";
import { transactionHeader, uploader } from "../../../testing/uploader.js";
import { RunDetailsSweep } from "../../core/imports/history/run-details-sweep.js";
import { rejectedValues } from "./rejected-values.js";

const gatehouse = useApp();
let tenant: Tenant;
let viewer: Visitor;
let root: string;

beforeAll(async () => {
  tenant = await gatehouse.tenant();
  viewer = await signedIn(gatehouse, "viewer", tenant.organizationId);
  root = `/organizations/${tenant.organizationId}`;
});

const transaction = (transactionId: unknown, fields: object = {}) => ({
  transactionId,
  locationUuid: tenant.locationUuid,
  type: 1,
  transactionDate: "2026-04-01T14:30:00.000Z",
  ...fields,
});
const send = async (records: unknown[]) =>
  (await gatehouse.post("/integrations/transactions", tenant.apiKey, { transactions: records })).json;

test("the rejected values of a failed record are stored exactly, up to a length, and nothing else of the record", async () => {
  const run = await send([
    transaction("kept", { cardType: "c".repeat(1_000), promoCode: "fine", vehicle: { licensePlate: "-" } }),
    transaction("a\u0000b"),
    transaction("created", { promoCode: "fine" }),
  ]);
  const { json } = await viewer.get(`${root}/runs/${run.referenceUuid}`);
  expect(json.results.map(({ sent }: { sent?: unknown }) => sent)).toEqual([
    [
      { field: "cardType", value: "c".repeat(400), isCut: true },
      { field: "vehicle.licensePlate", value: "-", isCut: false },
    ],
    [{ field: "transactionId", value: "a\u0000b", isCut: false }],
    undefined,
  ]);
  expect(json.sentValuesKeptDays).toBe(30);
});

test("rejected values are not stored for an organization that has switched it off, from requests or from files", async () => {
  const by = await uploader(gatehouse);
  const home = `/organizations/${by.organizationId}`;
  const kept = async () => {
    const { rows } = await gatehouse.database.work.query(
      "select position from import_sent_values where organization_id = $1",
      [by.organizationId],
    );
    return rows.length;
  };
  const upload = (id: string) => by.run(`${transactionHeader}${by.line(id, "9")}`);
  const send = (reference: string) =>
    gatehouse.post("/integrations/accounts", by.apiKey, {
      accounts: [{ tpReferenceId: reference, name: 7 }],
    });
  expect((await upload("T-1")).failed).toBe(1);
  expect(await kept()).toBe(1);
  expect((await by.person.patch(home, { keepsSentValues: false })).json.keepsSentValues).toBe(false);
  expect((await upload("T-2")).failed).toBe(1);
  await send("A-1");
  expect(await kept()).toBe(1);
  await by.person.patch(home, { keepsSentValues: true });
  await send("A-2");
  expect(await kept()).toBe(2);
});

test("the sweep deletes old rejected values, but not the run", async () => {
  const run = await send([transaction("old", { type: 9 })]);
  const sweepAt = async (ms: number) => {
    vi.useFakeTimers({ toFake: ["Date"], now: ms });
    const sweep = new RunDetailsSweep(gatehouse.database.console, { ...rejectedValues, days: 30 });
    await sweep.sweep().finally(() => vi.useRealTimers());
  };
  const shown = async () => (await viewer.get(`${root}/runs/${run.referenceUuid}`)).json.results[0];
  await sweepAt(Date.now() + 29 * 86_400_000);
  expect(await shown()).toMatchObject({ status: 4, sent: [{ field: "type", value: "9" }] });
  await sweepAt(Date.now() + 31 * 86_400_000);
  const { sent, ...rest } = await shown();
  expect(sent).toBeUndefined();
  expect(rest).toMatchObject({ reference: "old", status: 4, errorDetail: "type must be one of 1, 2, 3, 4" });
});
