import {
  operationNames,
  limitOverrideRule,
  parseLimitOverride,
  showLimitOverride,
  type OperationName,
  type LimitOverride,
  type RateLimit,
} from "@gatehouse-parking/contract";
import type pg from "pg";
import { invalidInput } from "../refusals/user-error.js";
import { mergeByName } from "./number-settings.js";
import { setting } from "./setting.js";

/** Overrides of one organization, by operation. Other operations have the default limit. */
export type LimitOverrides = Partial<Record<OperationName, LimitOverride>>;
/** Null removes the override. */
export type LimitOverrideChanges = Partial<Record<OperationName, LimitOverride | null>>;

/** Rate limit overrides. Set by an operator. The gate reads them together with the key. */
export const limits = setting({
  name: "limits",
  columns: ["own_limits"],
  show: (stored: LimitOverrides | null) => mergeByName(operationNames, stored, {}) ?? {},
  change: (stored, change: LimitOverrideChanges) => mergeByName(operationNames, stored, change),
  option: {
    flags: "--limit <operation=requests/seconds...>",
    description:
      "a rate limit override for an operation, or OPERATION=default to remove it; applies at once on every instance",
    example: "--limit importTransactions=1000/60 --limit submitLead=default",
    parse: readLimitOverrides,
  },
  describe: showLimitOverrides,
});

/** Typed to remove an override. */
const usual = "default";

/** The limits of an organization, with its overrides. */
export async function readLimits(
  pool: pg.Pool,
  organizationId: string,
  usualLimits: Record<OperationName, RateLimit>,
): Promise<Record<OperationName, RateLimit>> {
  const { rows } = await pool.query<{ own_limits: LimitOverrides | null }>(
    "select own_limits from organizations where id = $1",
    [organizationId],
  );
  const own = rows[0]?.own_limits;
  return own ? withOverrides(usualLimits, own) : usualLimits;
}

export function withOverrides(
  usualLimits: Record<OperationName, RateLimit>,
  own: LimitOverrides,
): Record<OperationName, RateLimit> {
  return Object.fromEntries(
    operationNames.map((name) => [name, { ...usualLimits[name], ...own[name] }]),
  ) as Record<OperationName, RateLimit>;
}

/** A limit as it is typed after the name of its operation: 1000/60. Null: the default. */
export function readLimitOverride(text: string | null): LimitOverride | null {
  if (text === null || text === usual) return null;
  const limit = parseLimitOverride(text);
  if (!limit) throw invalidInput(`A limit must be ${limitOverrideRule}, or ${usual}; "${text}" is not`);
  return limit;
}

/** Limits as they are typed on the command line: importTransactions=1000/60. */
export function readLimitOverrides(texts: readonly string[]): LimitOverrideChanges {
  return collectLimitOverrides(
    texts.map((text) => {
      const separator = text.indexOf("=");
      if (separator === -1)
        throw invalidInput(`A limit must look like importTransactions=1000/60, not "${text}"`);
      return { operation: text.slice(0, separator), limit: text.slice(separator + 1) };
    }),
  );
}

/** Refuses two limits for one operation. */
export function collectLimitOverrides(
  wanted: readonly { operation: string; limit?: string | null | undefined }[],
): LimitOverrideChanges {
  const changes: LimitOverrideChanges = {};
  for (const { operation, limit } of wanted) {
    const name = operationNames.find((known) => known === operation);
    if (!name)
      throw invalidInput(`"${operation}" is not an operation; there are ${operationNames.join(", ")}`);
    if (Object.hasOwn(changes, name)) throw invalidInput(`There are two limits for ${name}`);
    if (limit !== undefined) changes[name] = readLimitOverride(limit);
  }
  return changes;
}

/** For display: importTransactions=1000/60. */
function showLimitOverrides(limits: LimitOverrides): string[] {
  return Object.entries(limits).map(([name, limit]) => `${name}=${showLimitOverride(limit)}`);
}
