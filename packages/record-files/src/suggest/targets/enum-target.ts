import { enumValue } from "../../record/convert.js";
import type { Column } from "../columns.js";
import type { Draft, SuggestedTarget } from "../draft.js";
import { enumMeaning } from "../vocabulary/words.js";

const maxDistinct = 50;
/** More unknown values than a person answers one by one. */
const maxAsked = 20;

/** The target of an enumeration. Known words and codes are assumptions, unknown ones are questions. */
export function enumTarget(
  column: Column,
  path: string,
  names: Readonly<Record<string, number>>,
  draft: Draft,
): SuggestedTarget | undefined {
  const { name, profile, values } = column;
  if (!profile.hasAllValues || values.length > maxDistinct || values.length === 0) return undefined;
  const field = path.slice(path.lastIndexOf(".") + 1);
  const own = (value: string) => enumValue(value, names) !== undefined;
  const codeOf = (value: string) => Object.keys(names).find((known) => String(names[known]) === value);
  const codes = values.filter(({ value }) => codeOf(value) !== undefined);
  const words = Object.fromEntries(
    values.flatMap(({ value }) => {
      const meant = own(value) ? undefined : enumMeaning(field, value);
      return meant === undefined || !(meant in names) ? [] : [[value, meant]];
    }),
  );
  const unknown = values.filter(
    ({ value }) => !own(value) && codeOf(value) === undefined && !(value in words),
  );
  if (unknown.length > maxAsked) return undefined;
  const metadata = { columns: { [name]: `metadata.${name.replaceAll(".", " ")}` } };
  if (codes.length > 0)
    draft.ask({
      id: `codes:${name}`,
      code: "codes",
      data: {
        column: name,
        values: codes.map(({ value, rows }) => ({ value, count: rows })),
        names: Object.fromEntries(codes.map(({ value }) => [value, codeOf(value) as string])),
      },
      ...{ rows: rowsOf(codes), columns: [name], values: codes.map(({ value }) => value) },
      choices: [
        { id: "contract", patch: {} },
        { id: "metadata", patch: metadata },
      ],
      // Codes among words are hardly those of the contract.
      ...(unknown.length === 0 && codes.length === values.length ? { assumed: "contract" } : {}),
    });
  if (Object.keys(words).length > 0)
    draft.ask({
      id: `words:${name}`,
      code: "knownWords",
      data: { column: name, values: words },
      ...{
        rows: rowsOf(values.filter(({ value }) => value in words)),
        columns: [name],
        values: Object.keys(words),
      },
      choices: [
        { id: "yes", patch: {} },
        { id: "metadata", patch: metadata },
      ],
      assumed: "yes",
    });
  for (const { value, rows } of unknown)
    draft.ask({
      id: `value:${name}:${value}`,
      code: "unknownValue",
      data: { column: name, value, names: Object.keys(names) },
      ...{ rows, columns: [name], values: [value] },
      choices: [
        ...Object.keys(names).map((meant) => ({
          id: meant,
          patch: { columns: { [name]: { values: { [value]: meant } } } },
        })),
        { id: "leave-out-rows", patch: { leaveOut: [{ column: name, values: [value] }] } },
      ],
    });
  return Object.keys(words).length === 0 && unknown.length === 0 ? path : { to: path, values: words };
}

function rowsOf(values: readonly { rows: number }[]): number {
  return Math.round(values.reduce((sum, { rows }) => sum + rows, 0));
}
