import type { KindCount } from "@gatehouse-parking/contract/console";
import { recordFacts } from "../records/facts.js";
import { counted } from "../ui/counted.js";

/** 500 transactions, 1 account */
export function kindsInWords(kinds: readonly KindCount[]): string {
  return kinds.map(({ kind, count }) => counted(count, recordFacts[kind].singular)).join(", ");
}

export function total(kinds: readonly KindCount[]): string {
  return counted(sumOf(kinds), "record");
}

export function sumOf(kinds: readonly KindCount[]): number {
  return kinds.reduce((sum, { count }) => sum + count, 0);
}
