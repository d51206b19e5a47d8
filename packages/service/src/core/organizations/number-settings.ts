import type { Quotas, Retention } from "@gatehouse-parking/contract";
import { invalidInput } from "../refusals/user-error.js";

/** Typed to remove an override. */
const usual = "default";

/** Null: no entries are left. Entries keep the order of the names, so that equal settings have equal versions. */
export function mergeByName<Name extends string, Value>(
  names: readonly Name[],
  stored: Partial<Record<Name, Value>> | null,
  changes: Partial<Record<Name, Value | null>>,
): Partial<Record<Name, Value>> | null {
  const all: Partial<Record<Name, Value | null>> = { ...stored, ...changes };
  const left = names.flatMap((name) => (all[name] ? [[name, all[name]]] : []));
  return left.length === 0 ? null : (Object.fromEntries(left) as Partial<Record<Name, Value>>);
}

/** Numbers in the form of the command line: records=730. */
export function readNumbers<Name extends string>(
  texts: readonly string[],
  names: readonly Name[],
  { what, example }: { what: string; example: string },
): Partial<Record<Name, number | null>> {
  return collectNumbers(
    texts.map((text) => {
      const [, given = "", number = ""] = /^([A-Za-z]+)=(\d{1,15}|default)$/.exec(text.trim()) ?? [];
      const name = names.find((known) => known === given);
      if (given !== "" && !name) throw invalidInput(`${given} is not ${what}; there are ${names.join(", ")}`);
      if (!name) throw invalidInput(`It must look like ${example} or end with =${usual}, not "${text}"`);
      return { name, number: number === usual ? null : Number(number) };
    }),
  );
}

/** Refuses two numbers for one name. */
export function collectNumbers<Name extends string>(
  wanted: readonly { name: Name; number?: number | null | undefined }[],
): Partial<Record<Name, number | null>> {
  const collected: Partial<Record<Name, number | null>> = {};
  for (const { name, number } of wanted) {
    if (name in collected) throw invalidInput(`${name} is given twice`);
    if (number !== undefined) collected[name] = number;
  }
  return collected;
}

/** The numbers in the form that users type. */
export function showNumbers(numbers: Retention | Quotas): string[] {
  return Object.entries(numbers).map(([name, number]) => `${name}=${number}`);
}
