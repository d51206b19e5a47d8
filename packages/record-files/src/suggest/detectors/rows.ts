import { metadataOf, pathOf, type Draft } from "../draft.js";
import { fieldAt, fieldTrees } from "../../record/fields.js";
import type { Column } from "../columns.js";
import { wordsOf } from "../vocabulary/header-words.js";
import { isRefundWord, isTrueOrFalse, isVoidWord, flagWords } from "../vocabulary/words.js";

const maxAsked = 10;

/** Whether the column goes to an enumeration, where such words have a meaning. */
function isEnumeration({ name }: Column, draft: Draft): boolean {
  return (draft.targets.get(name) ?? []).some(
    (target) => fieldAt(fieldTrees[draft.resource], pathOf(target))?.names,
  );
}

/** Asks about rows that did not happen: voided, cancelled, failed, tests. */
export function askAboutVoidRows(draft: Draft): void {
  for (const column of draft.columns) {
    if (!column.looks.has("category") && !column.profile.hasAllValues) continue;
    if (isEnumeration(column, draft) || column.profile.values.length > 50) continue;
    const { name, profile } = column;
    const found = profile.values.filter(({ value }) => isVoidWord(value)).slice(0, maxAsked);
    for (const { value, count } of found)
      draft.ask({
        id: `void:${name}:${value}`,
        code: "voidRows",
        data: { column: name, value },
        ...{ rows: count, columns: [name], values: [value] },
        choices: [
          { id: "leave-out-rows", patch: { leaveOut: [{ column: name, values: [value] }] } },
          { id: "import", patch: {} },
        ],
      });
  }
}

/** More different values than those of a mark such as "X" or a reason. */
const maxMarks = 30;

/** A column such as "Void" marks its rows: by a word for true, or by having a value at all. */
export function askAboutMarkedRows(draft: Draft): void {
  for (const { name, profile, looks } of draft.columns) {
    if (!wordsOf(name).some(isVoidWord) || profile.filled === 0 || looks.has("money")) continue;
    const isFlag = profile.hasAllValues && profile.values.every(({ value }) => isTrueOrFalse(value));
    const marks = isFlag ? profile.values.filter(({ value }) => !isFalse(value)) : profile.values;
    if (marks.length === 0) continue;
    const values = marks.map(({ value }) => value);
    draft.ask({
      id: `marked:${name}`,
      code: "markedRows",
      data: { column: name, values: marks.slice(0, maxMarks) },
      rows: isFlag ? marks.reduce((sum, { count }) => sum + count, 0) : profile.filled,
      ...{ columns: [name], values },
      choices: [
        ...(profile.hasAllValues && marks.length <= maxMarks
          ? [{ id: "leave-out-rows", patch: { leaveOut: [{ column: name, values }] } }]
          : []),
        { id: "import", patch: {} },
      ],
    });
  }
}

/** Asks about rows that are refunds by a word in one of their columns. */
export function askAboutRefunds(draft: Draft): void {
  if (draft.resource !== "transactions" || draft.paths().has("isRefunded")) return;
  for (const column of draft.columns) {
    const { name, profile, looks } = column;
    if (!looks.has("category")) continue;
    const found = profile.values.filter(({ value }) => isRefundWord(value));
    if (found.length === 0) continue;
    const [refunds, others] = [true, false].map((isRefund) =>
      profile.values.map(({ value }) => value).filter((value) => isRefundWord(value) === isRefund),
    );
    draft.ask({
      id: `refunds:${name}`,
      code: "refundRows",
      data: { column: name, values: found },
      rows: found.reduce((sum, { count }) => sum + count, 0),
      ...{ columns: [name], values: found.map(({ value }) => value) },
      choices: [
        {
          id: "isRefunded",
          patch: {
            columns: {
              [name]: [...keptTargets(name, draft), { to: "isRefunded", true: refunds, false: others }],
            },
          },
        },
        { id: "ordinary", patch: {} },
        {
          id: "leave-out-rows",
          patch: { leaveOut: [{ column: name, values: found.map(({ value }) => value) }] },
        },
      ],
    });
  }
}

function keptTargets(name: string, draft: Draft) {
  return draft.targets.get(name) ?? [metadataOf(name)];
}

/** A column such as "Paid" with 1 and 0 says whether the sale happened. */
export function askAboutUnpaidRows(draft: Draft): void {
  if (draft.resource !== "transactions") return;
  for (const { name, profile, looks, meaning } of draft.columns) {
    if (!looks.has("flag") || !meaning.concepts.has("pay") || meaning.concepts.has("refund")) continue;
    const unpaid = profile.values.filter(({ value }) => isTrueOrFalse(value) && isFalse(value));
    if (unpaid.length === 0) continue;
    draft.ask({
      id: `unpaid:${name}`,
      code: "unpaidRows",
      data: { column: name },
      rows: unpaid.reduce((sum, { count }) => sum + count, 0),
      ...{ columns: [name], values: unpaid.map(({ value }) => value) },
      choices: [
        {
          id: "leave-out-rows",
          patch: { leaveOut: [{ column: name, values: unpaid.map(({ value }) => value) }] },
        },
        { id: "import", patch: {} },
      ],
    });
  }
}

function isFalse(value: string): boolean {
  return (
    ["0", "n", "no", "false"].includes(value.toLowerCase()) || (flagWords([value])?.false.length ?? 0) > 0
  );
}

/** In a file of bookings, an arrival may be the planned one. */
export function askPlannedOrActual(draft: Draft): void {
  if (draft.resource !== "transactions") return;
  const hasBookings = draft.columns.some(
    ({ meaning, values }) =>
      meaning.concepts.has("booking") ||
      meaning.concepts.has("plan") ||
      values.some(({ value }) => /book|reserv/i.test(value)),
  );
  if (!hasBookings) return;
  for (const [path, planned] of [
    ["sessionStart", "scheduledArrival"],
    ["sessionEnd", "scheduledExit"],
  ] as const) {
    if (draft.paths().has(planned)) continue;
    for (const { name, profile, meaning } of draft.columnsOf(path)) {
      const isGate = /entry|gate|einfahrt|ausfahrt/i.test(name) && !meaning.concepts.has("booking");
      draft.ask({
        id: `planned:${name}`,
        code: "plannedOrActual",
        data: { column: name, path },
        ...{ rows: profile.filled, columns: [name] },
        choices: [
          { id: "actual", patch: {} },
          { id: "booked", patch: { columns: { [name]: replaced(name, path, planned, draft) } } },
        ],
        ...(isGate ? { assumed: "actual" } : {}),
      });
    }
  }
}

function replaced(name: string, path: string, planned: string, draft: Draft) {
  const targets = (draft.targets.get(name) ?? []).map((target) => {
    if (pathOf(target) !== path) return target;
    return typeof target === "string" ? planned : { ...target, to: planned };
  });
  const [only] = targets;
  return targets.length === 1 && only !== undefined ? only : targets;
}
