import { expect, test } from "vitest";
import { signedIn } from "../../../testing/console.js";
import { useApp } from "../../../testing/harness.js";
import { importer } from "../../../testing/importer.js";
import { between, deleteBefore, expectSound, sweepAt } from "../../../testing/retention.js";
import { undoRun } from "../../features/undo/undo-run.js";
import { countChangedDays } from "./count-days.js";

const gatehouse = useApp();

/** Reads the first three days of April as an operator. */
async function operator() {
  const partner = await importer(gatehouse, { location: { timeZone: "Europe/London" } });
  const viewer = await signedIn(gatehouse, "viewer", partner.organizationId);
  const { work } = gatehouse.database;
  let sold = 0;
  return {
    ...partner,
    sell: (day: number, ...amounts: number[]) =>
      partner.importTransactions(
        ...amounts.map((amountTotal) =>
          partner.transaction(`T-${(sold += 1)}`, {
            transactionDate: `2026-04-0${day}T12:00:00.000Z`,
            amountTotal,
          }),
        ),
      ),
    async revenue(): Promise<string[]> {
      const at = `/organizations/${partner.organizationId}/overview/local-days`;
      const { days } = (await viewer.get(`${at}?fromDate=2026-04-01&toDate=2026-04-03`)).json;
      const filtered = await viewer.get(
        `${at}?fromDate=2026-04-01&toDate=2026-04-03&location=${partner.locationUuid}`,
      );
      const revenues = (list: { revenue: string }[]) => list.map(({ revenue }) => revenue);
      expect(revenues(filtered.json.days)).toEqual(revenues(days));
      return revenues(days);
    },
    count: () => countChangedDays(work, partner.organizationId),
    /**
     * Changes a transaction without updating the totals, which the service never does. This shows whether an
     * answer comes from the transactions or from the totals.
     */
    forge: (amount: number) =>
      work.query("update transactions set amount_total = $2 where organization_id = $1", [
        partner.organizationId,
        amount,
      ]),
    /** Stores a run as release 1.0.0 does, without recording its days. Each transaction has an amount of 100. */
    sellUnnoted: async (first: string, days = 1) => {
      await work.query(
        `insert into transactions (organization_id, id, transaction_id, location_id, type, booking_source,
           transaction_date, time_zone, utc_offset_seconds, local_date, amount_total, import_run_id, position, created_at)
         select organization_id, gen_random_uuid(), $2 || day, location_id, type, booking_source,
           transaction_date, time_zone, utc_offset_seconds, $2::date + day, 100, import_run_id, position, created_at
         from (select * from transactions where organization_id = $1 limit 1) as one, generate_series(0, $3 - 1) as day`,
        [partner.organizationId, first, days],
      );
      await work.query("update import_turns set run_count = run_count + 1 where organization_id = $1", [
        partner.organizationId,
      ]);
    },
    undo: (run: { referenceUuid: string }) =>
      undoRun(work, {
        organizationId: partner.organizationId,
        runId: run.referenceUuid,
        version: undefined,
        undoDays: 7,
        actor: "test",
      }),
  };
}

test("a counted day is not added up again", async () => {
  const operating = await operator();
  await operating.sell(1, 1.5, 2);
  await operating.count();
  await operating.forge(999);
  expect(await operating.revenue()).toEqual(["3.5", "0", "0"]);
});

test("imported transactions appear immediately, on counted days and on others", async () => {
  const operating = await operator();
  await operating.sell(1, 1);
  await operating.count();
  await operating.sell(1, 2);
  await operating.sell(3, 4);
  expect(await operating.revenue()).toEqual(["3", "0", "4"]);
  await operating.count();
  expect(await operating.revenue()).toEqual(["3", "0", "4"]);
  await expectSound(gatehouse, operating);
});

test("a change of one day leaves the totals of the other days valid", async () => {
  const operating = await operator();
  await operating.sell(1, 1);
  await operating.sell(2, 2);
  await operating.count();
  await operating.forge(999);
  await operating.sell(2, 4);
  expect(await operating.revenue()).toEqual(["1", "1003", "0"]);
});

test("an undone import no longer counts in a day that was counted with it", async () => {
  const operating = await operator();
  await operating.sell(1, 1);
  const run = await operating.sell(1, 2);
  await operating.count();
  await operating.undo(run);
  expect(await operating.revenue()).toEqual(["1", "0", "0"]);
  await operating.count();
  expect(await operating.revenue()).toEqual(["1", "0", "0"]);
  await expectSound(gatehouse, operating);
});

test("expired transactions no longer count in a day that was counted with them", async () => {
  const operating = await operator();
  await operating.sell(1, 1);
  const moment = await between();
  await operating.sell(1, 2);
  await operating.count();
  expect(await deleteBefore(gatehouse, operating, { moment, keepsKeys: false })).toBe(1);
  expect(await operating.revenue()).toEqual(["2", "0", "0"]);
  await operating.count();
  expect(await operating.revenue()).toEqual(["2", "0", "0"]);
  await expectSound(gatehouse, operating);
});

test("a count that starts before an import and is written after it is treated as stale", async () => {
  const operating = await operator();
  await operating.sell(1, 1);
  const { rows } = await gatehouse.database.work.query(
    "select change_count from import_turns where organization_id = $1",
    [operating.organizationId],
  );
  await operating.sell(1, 2);
  await gatehouse.database.work.query(
    "update local_days set totals = '[]', counted_in = $2 where organization_id = $1",
    [operating.organizationId, rows[0].change_count],
  );
  expect(await operating.revenue()).toEqual(["3", "0", "0"]);
});

test("next to a release that does not record changed days, all totals are stale until every day was looked up", async () => {
  const operating = await operator();
  await operating.sell(1, 1);
  await operating.count();
  await operating.sellUnnoted("2026-04-01");
  await operating.sellUnnoted("2026-04-02");
  expect(await operating.revenue()).toEqual(["101", "100", "0"]);
  await operating.count();
  expect(await operating.revenue()).toEqual(["101", "100", "0"]);
  await operating.forge(999);
  expect(await operating.revenue()).toEqual(["101", "100", "0"]);
  await operating.sell(2, 1);
  expect(await operating.revenue()).toEqual(["101", "1000", "0"]);
});

test("days are counted by the sweep that visits the organization", async () => {
  const operating = await operator();
  await operating.sell(1, 1);
  await sweepAt(gatehouse, Date.now());
  await operating.forge(999);
  expect(await operating.revenue()).toEqual(["1", "0", "0"]);
});

test("transactions on more days than the service tracks are added up on request", async () => {
  const operating = await operator();
  await operating.sell(1, 1);
  await operating.sellUnnoted("1990-01-01", 4_000);
  await operating.sellUnnoted("2026-04-02");
  await operating.count();
  expect(await operating.revenue()).toEqual(["1", "100", "0"]);
  await operating.forge(999);
  expect(await operating.revenue()).toEqual(["999", "999", "0"]);
});
