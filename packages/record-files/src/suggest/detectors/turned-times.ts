import type { FileCheck } from "../../record/check-file.js";
import { readTimeFormat } from "../../record/conversions/time-format.js";
import type { Column } from "../columns.js";
import { fieldAt, fieldTrees } from "../../record/fields.js";
import {
  metadataOf,
  pathOf,
  type Draft,
  type MappingPatch,
  type SuggestedTarget,
  type SuggestedTargets,
} from "../draft.js";

const stays = [
  ["sessionStart", "sessionEnd"],
  ["scheduledArrival", "scheduledExit"],
] as const;

/**
 * Asks about an exit that is before its entry. The check of the file counts them if the zone of the times is known. A
 * date that has two times of day is compared in the sampled rows, because such exits are usually on the next day.
 */
export function askAboutTurnedTimes(check: FileCheck | undefined, draft: Draft): void {
  for (const [start, end] of stays) {
    const found = check?.findings.find(({ code, data }) => code === "exitBeforeEntry" && data.end === end);
    const [endColumn] = draft.columnsOf(end);
    const rows = found?.rows ?? turnedRows(start, end, draft);
    if (!endColumn || rows === 0) continue;
    const columns = [...draft.columnsOf(start), endColumn].flatMap(({ name }) => [
      name,
      ...(draft.targets.get(name) ?? []).flatMap(clocksOf),
    ]);
    draft.ask({
      id: `turned:${end}`,
      code: "overnight",
      data: { columns: [...new Set(columns)] },
      rows,
      columns: [...new Set(columns)],
      shows: [start, end],
      choices: [
        ...nextDayChoices(endColumn, start, draft),
        { id: "keep", patch: {} },
        { id: "without end", patch: { columns: { [endColumn.name]: withoutPath(endColumn, end, draft) } } },
      ],
    });
  }
}

/** The columns that a target is joined with. */
function clocksOf(target: SuggestedTarget): string[] {
  return typeof target === "string" ? [] : [target["with"] ?? []].flat().map(String);
}

/** The sampled rows with an end before its start, as a share of all rows. */
function turnedRows(start: string, end: string, { profile, targets }: Draft): number {
  const [from, to] = [readerOf(start), readerOf(end)];
  if (!from || !to) return 0;
  const turned = profile.rows.filter(({ cells }) => {
    const [entry, exit] = [from(cells), to(cells)];
    return entry !== undefined && exit !== undefined && exit < entry;
  });
  return Math.ceil((turned.length / Math.max(1, profile.rows.length)) * profile.rowCount);

  /** Reads the local time of a row; undefined if the field has no column with a separate time of day. */
  function readerOf(path: string): ((cells: readonly string[]) => string | undefined) | undefined {
    for (const [name, all] of targets) {
      const target = all.find((one) => pathOf(one) === path);
      if (target === undefined || typeof target === "string" || clocksOf(target).length === 0) continue;
      const positions = [name, ...clocksOf(target)].map((wanted) =>
        profile.columns.findIndex((column) => column.name === wanted),
      );
      const formats = [target["time"] ?? []]
        .flat()
        .flatMap((pattern) => readTimeFormat(String(pattern)) ?? []);
      return (cells) => {
        const text = positions.map((position) => (cells[position] ?? "").trim()).join(" ");
        const time = formats.map((format) => format.read(text)).find((one) => one?.time !== undefined);
        return time && `${time.date} ${time.time}`;
      };
    }
    return undefined;
  }
}

/** Only a time of day that was joined with a date can belong to the next day. */
function nextDayChoices(
  { name }: Column,
  start: string,
  { targets, resource }: Draft,
): { id: string; patch: MappingPatch }[] {
  const all = targets.get(name) ?? [];
  const isTime = (target: SuggestedTarget) => fieldAt(fieldTrees[resource], pathOf(target))?.kind === "time";
  if (!all.every(isTime) || !all.some((target) => clocksOf(target).length > 0)) return [];
  return [{ id: "next day", patch: { columns: { [name]: { after: start } } } }];
}

/** The targets of a column without one, for a choice that removes it. */
export function withoutPath({ name }: Column, path: string, draft: Draft): SuggestedTargets {
  const others = (draft.targets.get(name) ?? []).filter((target) => pathOf(target) !== path);
  const [first] = others;
  if (first === undefined) return metadataOf(name);
  return others.length === 1 ? first : others;
}
