import {
  Account,
  Contact,
  Subscription,
  Transaction,
  Vehicle,
  compileRecordCheck,
  importResources,
  isObject,
  reasonPrecedence,
  type ImportResourceName,
  type Problem,
  type RecordCheck,
  type RecordSource,
} from "@gatehouse-parking/contract";
import { memberTexts } from "@gatehouse-parking/json-text";
import { outcomeOf, type RecordOutcome } from "../../outcomes.js";
import type { Draft } from "./draft.js";

const nested = { Account, Contact, Vehicle, Subscription };
const checks: Readonly<Record<ImportResourceName, RecordCheck>> = {
  transactions: compileRecordCheck(Transaction, { uuidFormat: "looked up", nested }),
  accounts: compileRecordCheck(Account, { uuidFormat: "looked up", nested }),
  subscriptions: compileRecordCheck(Subscription, { uuidFormat: "looked up", nested }),
};
const failed = 4;

/** What can be said of a record without the service. Whether it is stored already, and its references, cannot. */
export type OfflineOutcome = RecordOutcome | { outcome: "Valid"; reference: string };

/** Judges a record by the checker that the service uses itself. */
export function checkOffline(resource: ImportResourceName, text: string): OfflineOutcome {
  const value: unknown = JSON.parse(text);
  if (!isObject(value)) {
    return outcomeOf({
      reference: "",
      status: failed,
      reasonCode: 5,
      errorDetail: "The record must be an object",
    });
  }
  const key = value[importResources[resource].keyField];
  const reference = typeof key === "string" ? key : "";
  const problems = checks[resource](value, sourceOf(text));
  if (problems.length === 0) return { outcome: "Valid", reference };
  return outcomeOf({
    reference,
    status: failed,
    reasonCode: firstReason(problems),
    errorDetail: problems.map((problem) => problem.message).join("; "),
  });
}

function firstReason(problems: readonly Problem[]): 4 | 5 {
  const codes: readonly number[] = problems.map((problem) => problem.reasonCode);
  return reasonPrecedence.find((code) => codes.includes(code)) as 4 | 5;
}

/** The record's text knows how a number was spelled and how deep metadata nests. */
function sourceOf(text: string): RecordSource {
  const objects = new Map<string, Draft | undefined>();
  /** The members of the object at a path; each object is taken apart once. */
  const membersAt = (path: readonly string[]): Draft | undefined => {
    const key = path.join(".");
    if (!objects.has(key)) {
      const whole = path.length === 0 ? text : textAt(path);
      objects.set(key, whole === undefined ? undefined : memberTexts(whole));
    }
    return objects.get(key);
  };
  const textAt = (path: readonly string[]) =>
    membersAt(path.slice(0, -1))?.get(path.at(-1) as string) as string | undefined;
  return { numberSpelling: textAt, depthAt: (path) => depthOf(textAt(path) ?? "") };
}

function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  // Brackets inside strings are no structure.
  let isString = false;
  for (let index = 0; index < text.length; index += 1) {
    const mark = text[index];
    if (mark === '"') isString = !isString;
    else if (isString) index += mark === "\\" ? 1 : 0;
    else if (mark === "{" || mark === "[") deepest = Math.max(deepest, (depth += 1));
    else if (mark === "}" || mark === "]") depth -= 1;
  }
  return deepest;
}
