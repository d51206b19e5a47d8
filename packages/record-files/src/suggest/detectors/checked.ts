import { importResources } from "@gatehouse-parking/contract";
import type { FileCheck, ProblemGroup } from "../../record/check-file.js";
import { fieldAt, fieldTrees } from "../../record/fields.js";
import { shortened } from "../../messages.js";
import { metadataOf, pathOf, type Draft, type MappingPatch, type SuggestedTargets } from "../draft.js";
import type { Column } from "../columns.js";
import { keyChoices } from "./required.js";
import { withoutPath } from "./turned-times.js";

/** Turns what the offline check of the whole file found into questions. */
export function askAboutProblems(check: FileCheck | undefined, draft: Draft): void {
  if (!check) return;
  for (const group of check.problems) askAboutInvalid(group, draft);
  askAboutRepeatedIds(check, draft);
  askAboutImplausibleTimes(check, draft);
  askAboutCurrencies(check, draft);
}

/** Problems that follow from another question, which is asked already. */
const followUps = /has no time zone|location of the organization|is a date without a time/;

/** An optional field may be left out where its value is not valid; a required one rejects its row. */
function askAboutInvalid({ path, message, rows, examples }: ProblemGroup, draft: Draft): void {
  const [column] = draft.columnsOf(path);
  if (!column || followUps.test(message) || isOpen(column, draft)) return;
  const isRequired = fieldAt(fieldTrees[draft.resource], path)?.isRequired === true && !path.includes(".");
  const value = examples[0]?.value ?? "";
  draft.ask({
    id: `invalid:${path}:${message.slice(0, 40)}`,
    code: "rowsRejected",
    data: { path, problem: message, value },
    rows,
    columns: [column.name],
    values: examples.flatMap((example) => example.value ?? []),
    choices: [
      ...(isRequired
        ? []
        : [{ id: "leave-out", patch: { columns: { [column.name]: withoutProblem(column, path, draft) } } }]),
      { id: "reject", patch: {} },
    ],
    ...(isRequired ? { assumed: "reject" } : {}),
  });
}

/** Whether a question about the column will change its values. */
function isOpen({ name }: Column, draft: Draft): boolean {
  return draft.questions.some(
    ({ columns, assumed, code }) =>
      assumed === undefined && columns.includes(name) && code !== "rowsRejected",
  );
}

/** The targets of a column, one of which is left out where its value is not valid. */
function withoutProblem(
  { name }: Column,
  path: string,
  draft: Draft,
): SuggestedTargets | Record<string, unknown> {
  const targets = draft.targets.get(name) ?? [];
  if (targets.length === 1) return { onProblem: "leaveOut" };
  return targets.map((target) => {
    if (pathOf(target) !== path) return target;
    return { ...(typeof target === "string" ? { to: target } : target), onProblem: "leaveOut" };
  });
}

function askAboutRepeatedIds({ findings }: FileCheck, draft: Draft): void {
  const rowsOf = (code: string) => findings.find((finding) => finding.code === code)?.rows ?? 0;
  const [equal, other] = [rowsOf("idRepeated"), rowsOf("idWithOtherValues")];
  const [column] = draft.columnsOf(importResources[draft.resource].keyField);
  if (equal + other === 0 || !column) return;
  const { name } = column;
  const key = importResources[draft.resource].keyField;
  const freed = (patch: MappingPatch): MappingPatch => ({
    columns: { [name]: metadataOf(name), ...patch.columns },
  });
  draft.ask({
    id: `repeated:${name}`,
    code: "keyRepeated",
    data: { column: name, equal, other },
    rows: equal + other,
    ...{ columns: [name], shows: [key] },
    choices: [
      { id: "first-row", patch: {} },
      ...keyChoices(draft, [name]).map(({ id, patch }) => ({ id, patch: freed(patch) })),
      ...draft.columns
        .filter((other) => other.name !== name && (other.looks.has("category") || other.looks.has("moment")))
        .slice(0, 6)
        .map((other) => ({
          id: `${other.name} + ${name}`,
          patch: { columns: { [name]: { to: key, with: [other.name], separator: "-" } } },
        })),
    ],
    // Rows that are equal in every field lose nothing.
    ...(other === 0 ? { assumed: "first-row" } : {}),
  });
}

/** Years such as 2069 and 1926 usually come from years with two digits. */
function askAboutImplausibleTimes({ findings }: FileCheck, draft: Draft): void {
  for (const { code, data, rows, examples } of findings) {
    if (code !== "oldTime" && code !== "futureTime") continue;
    const { path } = data;
    const [column] = draft.columnsOf(path);
    if (!column) continue;
    const isRequired = fieldAt(fieldTrees[draft.resource], path)?.isRequired === true && !path.includes(".");
    draft.ask({
      id: `implausible:${path}:${code}`,
      code: "implausibleTimes",
      data: { path, value: examples[0]?.value ?? "" },
      rows,
      columns: [column.name],
      shows: [path],
      choices: [
        { id: "keep", patch: {} },
        ...(isRequired
          ? []
          : [
              {
                id: "without it",
                patch: { columns: { [column.name]: withoutPath(column, path, draft) } },
              },
            ]),
      ],
    });
  }
}

function askAboutCurrencies({ findings }: FileCheck, draft: Draft): void {
  for (const finding of findings) {
    if (finding.code !== "severalCurrencies") continue;
    const { column: shown, currencies } = finding.data;
    const values = currencies.map(({ currency, rows }) => ({ value: currency, count: rows }));
    const column = draft.columns.find(({ name }) => shortened(name) === shown)?.name;
    if (column === undefined) continue;
    draft.ask({
      id: `currencies:${column}`,
      code: "currencies",
      data: { column, values },
      rows: finding.rows,
      columns: [column],
      choices: [
        ...values.map(({ value }) => ({
          id: `only ${value}`,
          patch: {
            leaveOut: [{ column, values: values.map((one) => one.value).filter((other) => other !== value) }],
          },
        })),
        { id: "all", patch: {} },
      ],
    });
  }
}
