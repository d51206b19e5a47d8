import { reasons } from "@gatehouse-parking/contract";
import type { ResolutionTrace } from "@gatehouse-parking/contract/console";

/** What a reason code is called, what it means and what to do about it, in the words of the contract. */
export function explainReason(code: number): { name: string; meaning: string; advice: string } {
  const known = reasons.find((reason) => reason.code === code);
  return known
    ? { name: known.name, meaning: known.meaning, advice: known.advice }
    : { name: `Reason ${code}`, meaning: "This code is not known to this release.", advice: "" };
}

const relations = ["account", "contact", "vehicle", "subscription"] as const;
type Relation = (typeof relations)[number];

/** The columns of a transaction that tell how each of its relations was found or made. */
export type TraceColumns = Record<`${Relation}_id` | `${Relation}_via`, string | null>;

export const traceColumns = relations.flatMap((name) => [`${name}_id`, `${name}_via`]);

/** How each relation of a transaction was found or made; undefined if it has none. */
export function traceOf(row: Partial<TraceColumns>): ResolutionTrace | undefined {
  const trace: ResolutionTrace = {};
  for (const name of relations) {
    const via = row[`${name}_via`];
    if (via) trace[name] = { via, uuid: row[`${name}_id`] ?? null };
  }
  return Object.keys(trace).length === 0 ? undefined : trace;
}
