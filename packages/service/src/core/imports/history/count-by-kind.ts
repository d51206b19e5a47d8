import type { KindCount, RecordKind } from "@gatehouse-parking/contract/console";
import { recordKinds } from "@gatehouse-parking/contract/console";

/** How many there are of each kind, in the order of the console's pages. Kinds of which there are none are left out. */
export function countByKind(records: readonly { kind: RecordKind }[]): KindCount[] {
  return recordKinds
    .map((kind) => ({ kind, count: records.filter((record) => record.kind === kind).length }))
    .filter(({ count }) => count > 0);
}
