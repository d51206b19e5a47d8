import { isObject, type Problem } from "@gatehouse-parking/contract";
import type { JsonRecord } from "@gatehouse-parking/json-text";
import { YieldBudget } from "../scheduling/yield-budget.js";
import { isLarge, readItem, readLargeItem, type Batch } from "../json/read-body.js";
import { isUsableKey, takeFingerprint, type Candidate, type Replay, type Submitted } from "./candidate.js";
import { fieldNames, type ResourceDefinition } from "./resources.js";

const noObject: Problem = { path: "", reasonCode: 5, message: "The record must be an object" };

/** Step 1: every record that is no known replay is read, and can be checked, on its own. */
export async function validate(
  batch: Batch,
  resource: ResourceDefinition,
  replays: readonly Replay[],
): Promise<Submitted[]> {
  const submitted: Submitted[] = [];
  for (const replay of replays) submitted[replay.position] = replay;
  const budget = new YieldBudget();
  for (const [position, item] of batch.items.entries()) {
    if (submitted[position] !== undefined) continue;
    const source = isLarge(item)
      ? await readLargeItem(batch.text, item, fieldNames)
      : readItem(batch.text, item);
    submitted[position] = toCandidate(position, source, resource);
    if (budget.isSpent) await budget.giveWay();
  }
  return submitted;
}

function toCandidate(position: number, source: JsonRecord, resource: ResourceDefinition): Candidate {
  const fingerprint = takeFingerprint(source.text);
  if (!isObject(source.value)) {
    return {
      position,
      reference: "",
      key: undefined,
      record: {},
      source,
      fingerprint,
      check: () => [noObject],
    };
  }
  const record = source.value;
  const given = record[resource.keyField];
  return {
    position,
    reference: typeof given === "string" ? given : "",
    key: isUsableKey(given) ? given : undefined,
    record,
    source,
    fingerprint,
    check: () => resource.check(record, source),
  };
}
