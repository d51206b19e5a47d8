import { expect, test } from "vitest";
import fc from "../../../../../testing/properties.js";
import { isLong } from "../../../../../testing/seed.js";
import { useApp } from "../../../testing/harness.js";
import { importer, type Importer } from "../../../testing/importer.js";
import { between, deleteBefore } from "../../../testing/retention.js";
import { readLocalDays } from "../../features/overview/local-days.js";
import { NothingToUndo, undoRun } from "../../features/undo/undo-run.js";
import { countChangedDays } from "./count-days.js";

const gatehouse = useApp();
const histories = isLong ? 2_000 : 40;
const dates = { fromDate: "2026-04-01", toDate: "2026-04-04" };

const day = fc.integer({ min: 1, max: 4 });
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ sell: fc.array(day, { minLength: 1, maxLength: 4 }) }) },
  { weight: 2, arbitrary: fc.constant({ count: true }) },
  { weight: 1, arbitrary: fc.record({ sellWhileCounting: fc.array(day, { minLength: 1, maxLength: 4 }) }) },
  { weight: 1, arbitrary: fc.record({ undo: fc.nat(5) }) },
  { weight: 1, arbitrary: fc.constant({ deletePast: true }) },
);

/** The totals computed from the transactions. */
async function addedUp({ organizationId }: Importer) {
  const { rows } = await gatehouse.database.work.query(
    `select local_date as date, count(*) as transactions, sum(amount_total)::text as revenue from transactions
     where organization_id = $1 group by local_date order by local_date`,
    [organizationId],
  );
  return rows;
}

test("after any sequence of imports, undos, deletions and counts, a day shows the totals of its transactions", async () => {
  let sold = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 10 }), async (steps) => {
      const partner = await importer(gatehouse);
      const { work } = gatehouse.database;
      const { organizationId } = partner;
      const made: string[] = [];
      const count = () => countChangedDays(work, organizationId);
      const sell = async (days: readonly number[]) => {
        const records = days.map((each) =>
          partner.transaction(`T-${(sold += 1)}`, {
            transactionDate: `2026-04-0${each}T16:00:00.000Z`,
            amountTotal: sold / 4,
          }),
        );
        const { json } = await partner.post("transactions", { transactions: records });
        made.push(json.referenceUuid);
      };
      const undo = async (runId: string) => {
        const undoing = { organizationId, runId, version: undefined, undoDays: 1, actor: "test" };
        await undoRun(work, undoing).catch((error: unknown) => {
          if (!(error instanceof NothingToUndo)) throw error;
        });
      };
      for (const each of steps) {
        if ("sell" in each) await sell(each.sell);
        else if ("sellWhileCounting" in each)
          await Promise.all([sell(each.sellWhileCounting), count(), sell(each.sellWhileCounting)]);
        else if ("undo" in each) {
          const runId = made[each.undo];
          if (runId !== undefined) await undo(runId);
        } else if ("deletePast" in each)
          await deleteBefore(gatehouse, partner, { moment: await between(), keepsKeys: false });
        else await count();
        const shown = (await readLocalDays(work, { organizationId, locationId: undefined, ...dates })).days;
        expect(
          shown
            .filter(({ transactions }) => transactions > 0)
            .map(({ date, transactions, revenue }) => ({ date, transactions, revenue })),
        ).toEqual(await addedUp(partner));
      }
    }),
    { numRuns: histories },
  );
}, 600_000);
