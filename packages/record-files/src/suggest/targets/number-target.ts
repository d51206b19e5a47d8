import type { Column } from "../columns.js";
import type { Draft, SuggestedTarget } from "../draft.js";

/** Amounts of parking are rarely larger, so whole numbers above it may be cents. */
const largestSafeWhole = 50;
/** Currencies without a smaller unit in use. */
const withoutCents = /jpy|krw|huf|clp|isk|vnd|¥|￥|円|₩|원|ft/i;

/** The target of an amount or a count; undefined if the values are not numbers. Asks what they leave open. */
export function numberTarget(
  column: Column,
  path: string,
  isAmount: boolean,
  draft: Draft,
): SuggestedTarget | undefined {
  const { numbers, name } = column;
  if (!numbers) return undefined;
  const { example, rivals } = numbers;
  const rows = column.profile.filled;
  if (rivals.length > 0)
    draft.ask({
      id: `numbers:${name}`,
      code: "ambiguousNumbers",
      data: { column: name, value: numbers.value ?? "", readings: [example ?? "", ...rivals] },
      ...{ rows, columns: [name] },
      choices: [example ?? "", ...rivals].map((id) => ({
        id,
        patch: { columns: { [name]: { number: id } } },
      })),
    });
  if (isAmount) {
    askForCurrencies(column, draft);
    askForCents(column, draft);
    askAboutNegatives(column, draft);
  }
  return example === undefined ? path : { to: path, number: example };
}

function askForCurrencies({ name, numbers, profile }: Column, draft: Draft): void {
  const units = numbers?.units ?? [];
  if (units.length < 2) return;
  draft.ask({
    id: `currencies:${name}`,
    code: "currencies",
    data: { column: name, values: units.map(({ value, rows }) => ({ value, count: Math.round(rows) })) },
    rows: profile.filled,
    columns: [name],
    choices: [
      { id: "only the first", patch: {} },
      { id: "left out", patch: { columns: { [name]: null } } },
    ],
  });
}

function askForCents({ name, numbers, meaning, values, profile, remarks }: Column, draft: Draft): void {
  const known = (numbers?.numbers ?? []).filter((number) => number !== undefined);
  const isWhole = values.every(
    ({ value }, index) => numbers?.numbers[index] === undefined || !/\d[.,]\d{1,2}\D*$/.test(value),
  );
  const isNamed =
    meaning.concepts.has("cents") ||
    remarks.some((remark) => /cent|minor|rappen|öre|øre|grosz|pence/i.test(remark));
  const largest = Math.max(0, ...known.map(Math.abs));
  const unitless =
    withoutCents.test(name) || (numbers?.units ?? []).some(({ value }) => withoutCents.test(value));
  if (!isNamed && (!isWhole || unitless || largest === 0)) return;
  const choices = [
    { id: "cents", patch: { columns: { [name]: { scale: "0.01" } } } },
    { id: "whole", patch: {} },
  ];
  draft.ask({
    id: `cents:${name}`,
    code: "minorUnits",
    data: { column: name, largest: String(largest) },
    rows: profile.filled,
    columns: [name],
    choices,
    ...(!isNamed && largest <= largestSafeWhole ? { assumed: "whole" } : {}),
  });
}

function askAboutNegatives({ name, numbers, values }: Column, draft: Draft): void {
  const negative = values.filter((_, index) => (numbers?.numbers[index] ?? 0) < 0);
  if (negative.length === 0) return;
  const rows = Math.max(1, Math.round(negative.reduce((sum, one) => sum + one.rows, 0)));
  draft.ask({
    id: `negative:${name}`,
    code: "negative",
    data: { column: name },
    ...{ rows, columns: [name], values: negative.map(({ value }) => value) },
    choices: [
      { id: "keep", patch: {} },
      ...(negative.length <= 50
        ? [
            {
              id: "leave-out-rows",
              patch: { leaveOut: [{ column: name, values: negative.map(({ value }) => value) }] },
            },
          ]
        : []),
    ],
  });
}
