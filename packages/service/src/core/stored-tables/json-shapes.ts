import {
  entities,
  isObject,
  isUuid,
  ReasonCode,
  RecordStatus,
  type EntityPlural,
} from "@gatehouse-parking/contract";
import { recordKinds, type KindCount, type UploadProblem } from "@gatehouse-parking/contract/console";
import { toMapping } from "@gatehouse-parking/record-files";
import type { Difference } from "../imports/compare/compare.js";
import type { SentValue } from "../imports/write/sent-values.js";
import type { RowOutcome } from "./uploads.js";

/** The shapes of what is stored as JSON and read again by the service. A new member of a type has to be added here. */
type Guard = (value: unknown) => boolean;
/** One for each place of a tuple. */
type Places<T extends readonly unknown[]> = { [index in keyof T]: Guard };
type Members<T> = { [name in keyof Required<T>]: Guard };

export const isText: Guard = (value) => typeof value === "string";
const isFlag: Guard = (value) => typeof value === "boolean";
const isCount: Guard = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const isPositive: Guard = (value) => isCount(value) && value !== 0;
const isNullOr =
  (guard: Guard): Guard =>
  (value) =>
    value === null || guard(value);
const isListOf =
  (guard: Guard): Guard =>
  (value) =>
    Array.isArray(value) && value.every((item) => guard(item));
const isOneOf =
  (values: readonly unknown[]): Guard =>
  (value) =>
    values.includes(value);

function hasMembers<T>(members: Members<T>): Guard {
  const guards = Object.entries<Guard>(members);
  return (value) => isObject(value) && guards.every(([name, guard]) => guard(value[name]));
}

function isTuple(...guards: readonly Guard[]): Guard {
  return (value) =>
    Array.isArray(value) &&
    value.length === guards.length &&
    guards.every((guard, index) => guard(value[index]));
}

const isReason = isOneOf(Object.values(ReasonCode));

export const isObjectOfAnything: Guard = isObject;
export const isTextList = isListOf(isText);

export const isDifferenceList = isListOf(
  hasMembers<Difference>({ field: isText, stored: isNullOr(isText), sent: isNullOr(isText) }),
);

export const isSentValueList = isListOf(
  hasMembers<SentValue>({ field: isText, value: isText, isCut: isFlag }),
);

export const isUploadProblemList = isListOf(
  hasMembers<UploadProblem>({
    field: isText,
    message: isText,
    reasonCode: isNullOr(isReason),
    example: isNullOr(isText),
    line: isCount,
    count: isCount,
  }),
);

export const isKindCountList = isListOf(
  hasMembers<KindCount>({ kind: isOneOf(recordKinds), count: isCount }),
);

const rowOutcomeGuards: Places<RowOutcome> = [
  isCount,
  isOneOf(Object.values(RecordStatus)),
  isNullOr((value) => typeof value === "string" && isUuid(value)),
  isNullOr(isReason),
  isNullOr(isText),
  isText,
  isTextList,
];
export const isRowOutcomeList = isListOf(isTuple(...rowOutcomeGuards));

/** How many failed, by reason code. */
export const isReasonCounts: Guard = (value) =>
  isObject(value) &&
  Object.entries(value).every(([code, count]) => isReason(Number(code)) && isPositive(count));

const plurals: readonly string[] = entities.map(({ plural }): EntityPlural => plural);

/** How many were deleted, by table. */
export const isDeletedCounts: Guard = (value) =>
  isObject(value) &&
  Object.entries(value).every(([kind, count]) => plurals.includes(kind) && isPositive(count));

/** Content that gatehouse-push would accept as a mapping file. */
export const isMapping: Guard = (value) => {
  if (!isObject(value)) return false;
  try {
    toMapping(value);
    return true;
  } catch {
    return false;
  }
};
