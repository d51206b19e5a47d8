import type { ImportRun } from "@gatehouse-parking/contract";
import { expect, test } from "vitest";
import { useApp } from "../../../testing/harness.js";
import { importer, type Importer } from "../../../testing/importer.js";
import { waitingForLocks } from "../../../testing/waiting-for-locks.js";
import { verifyStoredData } from "../../../testing/verify.js";
import { previewUndo } from "./preview-undo.js";
import { undoRun, type Undoing } from "./undo-run.js";

const gatehouse = useApp();

const undoing = ({ organizationId }: Importer, { referenceUuid }: ImportRun): Undoing => ({
  organizationId,
  runId: referenceUuid,
  version: undefined,
  undoDays: 1,
  actor: "test",
});

/** Sends the batch before an undo commits, and commits the undo while the batch waits for it. */
async function sendBeforeCommit(partner: Importer, run: ImportRun, records: unknown[]): Promise<ImportRun> {
  const client = await gatehouse.database.work.connect();
  try {
    await client.query("begin");
    await undoRun(client, undoing(partner, run));
    const sent = partner.importTransactions(...records);
    await expect.poll(() => waitingForLocks(gatehouse)).toBeGreaterThan(0);
    await client.query("commit");
    return await sent;
  } finally {
    client.release();
  }
}

async function expectSound(): Promise<void> {
  const { checks } = await verifyStoredData(gatehouse.connectionString);
  expect(checks.filter(({ violations }) => violations > 0)).toEqual([]);
}

/** @covers R58 */
test.each([
  ["nothing but replays", 0],
  ["replays and a new record", 1],
])("%s that matched records before the undo are created again", async (_what, fresh) => {
  const partner = await importer(gatehouse);
  const records = [1, 2, 3].map((number) =>
    partner.transaction(`T-${number}`, { account: { tpReferenceId: "A", name: "Acme" } }),
  );
  const first = await partner.importTransactions(...records);
  const more = Array.from({ length: fresh }, () => partner.transaction("T-new"));
  const again = await sendBeforeCommit(partner, first, [...records, ...more]);
  expect(new Set(again.results.map(({ status }) => status))).toEqual(new Set([1]));
  expect(again.createdEntities.accounts).toBe(1);
  await expectSound();
});

test("an import that refers to a record that is being removed waits, and then does not find it", async () => {
  const partner = await importer(gatehouse);
  const first = await partner.importAccounts({ tpReferenceId: "A", name: "Acme" });
  const later = await sendBeforeCommit(partner, first, [
    partner.transaction("T-1", { accountTPReferenceId: "A" }),
  ]);
  expect(later.results).toMatchObject([{ status: 4, reasonCode: 6 }]);
  await expectSound();
});

test("concurrent imports and undos never break a reference or a count", async () => {
  const partner = await importer(gatehouse);
  const { work } = gatehouse.database;
  const record = (number: number) =>
    partner.transaction(`T-${number % 9}`, {
      account: { tpReferenceId: `A-${number % 3}`, name: "Acme" },
      contact: { email: `c${number % 4}@example.com` },
      vehicle: { licensePlate: `P${number % 5}` },
      subscription: { tpReferenceId: `S-${number % 3}` },
    });
  const runs: ImportRun[] = [];
  await Promise.all(
    Array.from({ length: 24 }, async (_, turn) => {
      const answer = await partner.post("transactions", { transactions: [record(turn), record(turn + 1)] });
      expect(answer.status, answer.text).toBe(200);
      runs.push(answer.json);
      const earlier = runs[turn % runs.length] as ImportRun;
      const run = undoing(partner, earlier);
      const { version, removed } = await previewUndo(work, run);
      if (removed.length === 0) return;
      // A concurrent change is the only error.
      await undoRun(work, { ...run, version }).catch((error: Error) =>
        expect(error.message).toMatch(/have changed since the preview/),
      );
    }),
  );
  for (const run of runs) expect((await partner.get(run.referenceUuid)).json).toEqual(run);
  await expectSound();
});
