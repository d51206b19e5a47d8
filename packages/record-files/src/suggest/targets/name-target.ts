import type { Column } from "../columns.js";
import type { Draft, SuggestedTarget } from "../draft.js";
import { shareOf } from "../content/weighted.js";

const company =
  /(?:^|[\s,.])(?:gmbh|ag|kg|ohg|ug|e\.?k|ltd|limited|llc|llp|inc|corp|co|plc|sarl|s\.?a\.?r\.?l|sas|s\.?a\.?s|s\.?a|s\.?l|s\.?l\.?u|srl|s\.?r\.?l|spa|s\.?p\.?a|b\.?v|n\.?v|sp|z\s?o\.?\s?o|a\.?s|s\.?r\.?o|kft|zrt|nyrt|bt|ab|aps|a\/s|as|oy|oyj|ltda|lda|ooo|ооо|оао|зао|ип|тов|ае|επε|group|holding|services|logistics|university|hotel|city|bank|株式会社|有限会社|有限公司|㈱|주식회사)(?:$|[\s,.])/iu;
const unspacedCompany = /株式会社|有限会社|有限公司|公司|주식회사|שירותי|شركة/u;

const isCompany = (value: string) => company.test(value) || unspacedCompany.test(value);
const isCapitals = (word: string) =>
  word.length > 1 && word === word.toUpperCase() && word !== word.toLowerCase();

interface Order {
  id: "first last" | "last first" | "last, first";
  /** Whether a name shows the order without doubt. */
  shows(name: string): boolean;
}

const orders: readonly Order[] = [
  { id: "last, first", shows: (name) => /^[^,]+,[^,]+$/.test(name) },
  { id: "last first", shows: (name) => showsCapitals(name.split(/\s+/)) },
  { id: "first last", shows: (name) => showsCapitals(name.split(/\s+/).toReversed()) },
];

/** "DUPONT Jean": the last name comes first. */
function showsCapitals([first = "", ...rest]: readonly string[]): boolean {
  return rest.length > 0 && isCapitals(first) && rest.every((word) => !isCapitals(word));
}

/** The target of full names. The order is an assumption if commas or capitals show it, otherwise a question. */
export function nameTarget(column: Column, path: string, draft: Draft): SuggestedTarget | undefined {
  const { name, values, profile } = column;
  if (
    values.some(({ value }) => /[@\d]/.test(value)) &&
    shareOf(values, (value) => !/[@\d]/.test(value)) < 0.9
  )
    return undefined;
  const companies = shareOf(values, isCompany);
  const metadata = {
    id: "metadata",
    patch: { columns: { [name]: `metadata.${name.replaceAll(".", " ")}` } },
  };
  if (companies > 0)
    draft.ask({
      id: `companies:${name}`,
      code: "companies",
      data: { column: name },
      rows: Math.max(1, Math.round(companies * profile.filled)),
      columns: [name],
      values: values.filter(({ value }) => isCompany(value)).map(({ value }) => value),
      choices: [
        metadata,
        { id: "last-name", patch: { columns: { [name]: `${path}.lastName` } } },
        { id: "persons", patch: {} },
      ],
    });
  const known = orders.find(({ shows }) => shareOf(values, shows) >= 0.95);
  const isMixed = orders.filter(({ shows }) => shareOf(values, shows) > 0).length > 1;
  const assumed = isMixed ? undefined : known?.id;
  draft.ask({
    id: `names:${name}`,
    code: "nameOrder",
    data: { column: name },
    rows: profile.filled,
    columns: [name],
    choices: [
      ...orders
        .filter(({ id }) => id !== "last, first" || shareOf(values, (value) => value.includes(",")) > 0)
        .map(({ id }) => ({ id: id as string, patch: { columns: { [name]: { name: id } } } })),
      metadata,
    ],
    ...(assumed === undefined ? {} : { assumed }),
  });
  return { to: path, name: assumed ?? "first last" };
}
