import type { Column } from "../columns.js";
import { fieldAt, fieldTrees } from "../../record/fields.js";
import { pathOf, type Draft } from "../draft.js";

/** Lists per column what counts as empty. Words that might be values are a question. */
export function askAboutPlaceholders(draft: Draft): void {
  for (const column of draft.columns) {
    if (!isStored(column, draft) || column.placeholders.length === 0) continue;
    const { name, placeholders } = column;
    for (const isCertain of [true, false]) {
      const found = placeholders.filter(
        (placeholder) => placeholder.isCertain === isCertain && !hasMeaning(column, placeholder.value, draft),
      );
      if (found.length === 0) continue;
      const words = found.map(({ value }) => value);
      draft.ask({
        id: `${isCertain ? "empty" : "placeholder"}:${name}`,
        code: "placeholders",
        data: { column: name, values: found.map(({ value, count }) => ({ value, count })) },
        rows: found.reduce((sum, { count }) => sum + count, 0),
        ...{ columns: [name], values: words },
        choices: [
          { id: "empty", patch: { columns: { [name]: { empty: words } } } },
          { id: "value", patch: {} },
          { id: "leave-out-rows", patch: { leaveOut: [{ column: name, values: words }] } },
        ],
        ...(isCertain ? { assumed: "empty" } : {}),
      });
    }
  }
}

/** Texts that look equal must be equal, so spaces around them and invisible characters are removed. */
export function askAboutUncleanText(draft: Draft): void {
  const found = draft.columns.filter(
    ({ name, profile }) =>
      profile.unclean > 0 &&
      (draft.targets.get(name) ?? []).some(
        (target) => fieldAt(fieldTrees[draft.resource], pathOf(target))?.kind === "text",
      ),
  );
  if (found.length === 0) return;
  const columns = found.map(({ name }) => name);
  draft.ask({
    id: "spaces",
    code: "uncleanText",
    data: { columns },
    rows: Math.max(...found.map(({ profile }) => profile.unclean)),
    columns: columns.slice(0, 3),
    choices: [
      { id: "remove", patch: { trim: true } },
      { id: "keep", patch: {} },
    ],
    assumed: "remove",
  });
}

/** Metadata keeps the text of the file, so only fields are concerned. */
function isStored({ name }: Column, draft: Draft): boolean {
  return (draft.targets.get(name) ?? []).some((target) => !pathOf(target).startsWith("metadata."));
}

/** A value that the target already replaces. */
function hasMeaning({ name }: Column, value: string, draft: Draft): boolean {
  return (draft.targets.get(name) ?? []).some(
    (target) => typeof target !== "string" && value in ((target["values"] ?? {}) as Record<string, unknown>),
  );
}

/** Values of a time or a number that are neither: they would be rejected row by row. */
export function askAboutOddValues(draft: Draft): void {
  for (const column of draft.columns) {
    const { name, times, numbers, looks } = column;
    const isOpenMoney = looks.has("money") && draft.questions.some(({ id }) => id === `column:${name}`);
    for (const path of [...(draft.targets.get(name) ?? []).map(pathOf), ...(isOpenMoney ? ["amount"] : [])]) {
      const isAmount = /amount|Fee|Rate|Tax/i.test(path);
      const odd = /Date$|^session|^scheduled/.test(path) ? times?.odd : isAmount ? numbers?.odd : undefined;
      if (!odd || odd.length === 0) continue;
      const values = odd
        .slice(0, 20)
        .map(({ value, rows }) => ({ value, count: Math.max(1, Math.round(rows)) }));
      draft.ask({
        id: `odd:${name}`,
        code: "otherValues",
        data: { column: name, path, values },
        rows: values.reduce((sum, { count }) => sum + count, 0),
        ...{ columns: [name], values: values.map(({ value }) => value) },
        choices: [
          { id: "empty", patch: { columns: { [name]: { empty: values.map(({ value }) => value) } } } },
          {
            id: "leave-out-rows",
            patch: { leaveOut: [{ column: name, values: values.map(({ value }) => value) }] },
          },
          ...(isAmount ? [{ id: "zero", patch: { columns: { [name]: { values: asZero(values) } } } }] : []),
          { id: "reject", patch: {} },
        ],
      });
    }
  }
}

/** "FREE" is an amount, too. */
function asZero(values: readonly { value: string }[]): Record<string, number> {
  return Object.fromEntries(values.map(({ value }) => [value, 0]));
}
