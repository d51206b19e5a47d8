import { entities, isObject, ReasonCode, type EntityPlural } from "@gatehouse-parking/contract";
import type { FieldDifference } from "@gatehouse-parking/contract/console";

/** The shapes of what is stored as JSON and read again by the service. A new member of a type has to be added here. */
export type Guard = (value: unknown) => boolean;
type Members<T> = { [name in keyof Required<T>]: Guard };

export const isText: Guard = (value) => typeof value === "string";
export const isFlag: Guard = (value) => typeof value === "boolean";
export const isCount: Guard = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const isPositive: Guard = (value) => isCount(value) && value !== 0;
export const isNullOr =
  (guard: Guard): Guard =>
  (value) =>
    value === null || guard(value);
export const isListOf =
  (guard: Guard): Guard =>
  (value) =>
    Array.isArray(value) && value.every((item) => guard(item));
export const isOneOf =
  (values: readonly unknown[]): Guard =>
  (value) =>
    values.includes(value);

export function hasMembers<T>(members: Members<T>): Guard {
  const guards = Object.entries<Guard>(members);
  return (value) => isObject(value) && guards.every(([name, guard]) => guard(value[name]));
}

export const isReason = isOneOf(Object.values(ReasonCode));

export const isObjectOfAnything: Guard = isObject;
export const isTextList = isListOf(isText);

export const isDifferenceList = isListOf(
  hasMembers<FieldDifference>({ field: isText, stored: isNullOr(isText), sent: isNullOr(isText) }),
);

/** How many failed, by reason code. */
export const isReasonCounts: Guard = (value) =>
  isObject(value) &&
  Object.entries(value).every(([code, count]) => isReason(Number(code)) && isPositive(count));

const plurals: readonly string[] = entities.map(({ plural }): EntityPlural => plural);

/** How many were deleted, by table. */
export const isDeletedCounts: Guard = (value) =>
  isObject(value) &&
  Object.entries(value).every(([kind, count]) => plurals.includes(kind) && isPositive(count));
