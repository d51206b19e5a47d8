import {
  isKeptDays,
  isQuota,
  keptDaysRule,
  keptKinds,
  quotaNames,
  quotaRule,
  type KeptKind,
  type QuotaName,
  type Quotas,
  type Retention,
} from "@gatehouse-parking/contract";
import { InvalidInput } from "../refusals/invalid-input.js";

/** Null takes an own number away. */
export type RetentionChanges = Partial<Record<KeptKind, number | null>>;
export type QuotaChanges = Partial<Record<QuotaName, number | null>>;

/** What a person writes to take an own number away. */
const usual = "default";

/** Null: nothing of its own is left. In the order of the kinds, so that the same settings have the same version. */
export function changedRetention(stored: Retention | null, changes: RetentionChanges): Retention | null {
  for (const [what, days] of Object.entries(changes))
    if (days !== null && !isKeptDays(days))
      throw new InvalidInput(`How long ${what} are kept must be ${keptDaysRule}; ${days} is not`);
  return merged(keptKinds, stored, changes);
}

/** Null: no quota is left. */
export function changedQuotas(stored: Quotas | null, changes: QuotaChanges): Quotas | null {
  for (const name of quotaNames) {
    const limit = changes[name];
    if (limit !== undefined && limit !== null && !isQuota(name, limit))
      throw new InvalidInput(`The quota ${name} must be ${quotaRule(name)}; ${limit} is not`);
  }
  return merged(quotaNames, stored, changes);
}

function merged<Name extends string>(
  names: readonly Name[],
  stored: Partial<Record<Name, number>> | null,
  changes: Partial<Record<Name, number | null>>,
): Partial<Record<Name, number>> | null {
  const all = { ...stored, ...changes } as Partial<Record<Name, number | null>>;
  const left = names.flatMap((name) => (typeof all[name] === "number" ? [[name, all[name]]] : []));
  return left.length === 0 ? null : (Object.fromEntries(left) as Partial<Record<Name, number>>);
}

/** As they are typed on the command line: records=730. */
export function readRetention(texts: readonly string[]): RetentionChanges {
  return readNumbers(texts, keptKinds, { what: "kept for a time of its own", example: "records=730" });
}

export function readQuotas(texts: readonly string[]): QuotaChanges {
  return readNumbers(texts, quotaNames, { what: "a quota", example: "records=1000000" });
}

function readNumbers<Name extends string>(
  texts: readonly string[],
  names: readonly Name[],
  { what, example }: { what: string; example: string },
): Partial<Record<Name, number | null>> {
  return collectNumbers(
    texts.map((text) => {
      const [, given = "", number = ""] = /^([A-Za-z]+)=(\d{1,15}|default)$/.exec(text.trim()) ?? [];
      const name = names.find((known) => known === given);
      if (given !== "" && !name)
        throw new InvalidInput(`${given} is not ${what}; there are ${names.join(", ")}`);
      if (!name) throw new InvalidInput(`It must look like ${example} or end with =${usual}, not "${text}"`);
      return { name, number: number === usual ? null : Number(number) };
    }),
  );
}

/** Each name once: of two numbers for the same one nobody could say which was meant. */
export function collectNumbers<Name extends string>(
  wanted: readonly { name: Name; number?: number | null | undefined }[],
): Partial<Record<Name, number | null>> {
  const collected: Partial<Record<Name, number | null>> = {};
  for (const { name, number } of wanted) {
    if (name in collected) throw new InvalidInput(`${name} is given twice`);
    if (number !== undefined) collected[name] = number;
  }
  return collected;
}

/** As they are typed. */
export function showNumbers(numbers: Retention | Quotas): string[] {
  return Object.entries(numbers).map(([name, number]) => `${name}=${number}`);
}
