import type { ImportResourceName, Location } from "@gatehouse-parking/contract";
import type { SeededRandom } from "./seeded-random.js";
import {
  dayMs,
  hourMs,
  sampleAccounts,
  sampleSubscriptions,
  SampleTransactions,
  type SampleRecord,
} from "./sample-records.js";

export interface SampleBatch {
  at: number;
  resource: ImportResourceName;
  records: SampleRecord[];
  metadata?: object;
  isUndone?: true;
  isUpload?: true;
}

export const historyDays = 30;
/** For the batches of the last day, in hours before now. */
const today = [22, 18, 14, 11, 8, 4, 1];

/** A month of batches of a typical partner with every possible outcome, oldest first. */
export function planHistory(chance: SeededRandom, places: readonly Location[], now: number): SampleBatch[] {
  const transactions = new SampleTransactions(chance, places);
  const batches: SampleBatch[] = [];
  const add = (at: number, records: SampleRecord[], more: Partial<SampleBatch> = {}) =>
    batches.push({ at, resource: "transactions", records, ...more });
  const begin = now - historyDays * dayMs;
  add(begin - hourMs, sampleAccounts(), { resource: "accounts", metadata: { source: "erp" } });
  add(begin - hourMs / 2, sampleSubscriptions(now), {
    resource: "subscriptions",
    metadata: { source: "erp" },
  });

  let previous: SampleRecord[] = [];
  for (let day = historyDays; day >= 2; day -= 1) {
    const at = now - day * dayMs + chance.between(0, 40) * 60_000;
    const isWeekend = [0, 6].includes(new Date(at).getUTCDay());
    const records = transactions.batch(at, isWeekend ? 10 : chance.between(15, 24), dayMs);
    const wrong = day % 3 === 0 ? transactions.failing(at, 2 + (day % 4), day) : [];
    add(at, [...records, ...wrong], { metadata: { source: "nightly", job: historyDays - day } });
    // The partner's job ran twice, so every record is Skipped.
    if (day === 10) add(at + hourMs, previous, { metadata: { source: "nightly", retry: true } });
    if (day === 13) add(at + hourMs, transactions.failing(at, 12, 0), { metadata: { source: "new till" } });
    if (day === 16) add(at + hourMs, sampleAccounts().slice(0, 5), { resource: "accounts" });
    if (day === 4)
      add(at + hourMs, transactions.plain(at, 15), { isUndone: true, metadata: { source: "wrong file" } });
    if (day === 3) add(at + hourMs, withDifferences(previous), { metadata: { source: "correction" } });
    previous = records;
  }
  const uploadedAt = now - 26 * hourMs;
  add(uploadedAt, [...transactions.plain(uploadedAt, 16), ...transactions.failing(uploadedAt, 3, 0)], {
    isUpload: true,
  });
  for (const hours of today) {
    const at = now - hours * hourMs + chance.between(0, 25) * 60_000;
    const records = transactions.batch(at, chance.between(5, 8), 3 * hourMs);
    const wrong = hours === 14 || hours === 4 ? transactions.failing(at, 4, hours) : [];
    const again =
      hours === 8 ? withDifferences(previous).slice(0, 4) : hours === 18 ? previous.slice(0, 3) : [];
    add(at, [...records, ...wrong, ...again], { metadata: { source: "till" } });
    previous = records;
  }
  return batches;
}

/** The same records with other amounts. They are Skipped. */
function withDifferences(records: readonly SampleRecord[]): SampleRecord[] {
  return records
    .slice(0, 6)
    .map((record) => ({ ...record, amountTotal: Number(record["amountTotal"]) + 5, cardType: "Discover" }));
}
