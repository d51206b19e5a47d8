import { importResources, isObject } from "@gatehouse-parking/contract";
import type { Facts } from "./export-folder.js";
import type { ReadExport } from "./foreign-import.js";
import type { MappingContent, Question } from "./person.js";

/** What the facts say about the columns and fields that a question names, as a part of a mapping file. */
export function patchFor(
  question: Question,
  { profile }: ReadExport,
  content: MappingContent,
  facts: Facts,
): Record<string, unknown> | undefined {
  const mapped = isObject(content["columns"]) ? content["columns"] : {};
  const named = namesIn(question);
  const columns = profile.columns
    .map(({ name }) => name)
    .filter((column) => named.has(column) || pathsOf(column, facts).some((path) => named.has(path)));
  const paths = [...named].filter((name) => !columns.includes(name));
  const targets = columns.map((column) => [column, targetsOf(column, mapped, facts)] as const);
  const constants = Object.fromEntries(
    Object.entries(facts.always ?? {})
      .filter(([path]) => paths.includes(path))
      .map(([path, value]) => [path, path === "locationUuid" ? uuidOf(value, facts) : value]),
  );
  const filters = Object.entries(facts["leave out"] ?? {})
    .filter(([column]) => columns.includes(column))
    .map(([column, values]) => ({ column, values }));
  const saysTime = columns.some((column) => pathsOf(column, facts).some((path) => facts.moments?.[path]));
  const zone = saysTime || question.id === "zone" ? facts.zone : undefined;
  const patch = {
    ...(targets.length > 0 ? { columns: Object.fromEntries(targets) } : {}),
    ...(Object.keys(constants).length > 0 ? { constants } : {}),
    ...(filters.length > 0 ? { leaveOut: filters } : {}),
    ...(zone === undefined ? {} : { timeZone: zone }),
  };
  return Object.keys(patch).length > 0 ? patch : undefined;
}

function namesIn({ id, data }: Question): Set<string> {
  const about = id.slice(id.indexOf(":") + 1);
  const texts = (value: unknown): string[] =>
    typeof value === "string"
      ? [value]
      : Array.isArray(value)
        ? value.flatMap(texts)
        : isObject(value)
          ? Object.values(value).flatMap(texts)
          : [];
  return new Set([about, ...texts(data)]);
}

function uuidOf(value: unknown, { locations }: Facts): unknown {
  return locations.find(({ name, tpReferenceId }) => name === value || tpReferenceId === value)?.uuid;
}

function pathsOf(column: string, facts: Facts): readonly string[] {
  const paths = facts.columns?.[column];
  return paths === undefined || paths === "metadata" ? [] : paths;
}

/** The targets of a column: null if another column takes its cells. */
function targetsOf(column: string, mapped: Record<string, unknown>, facts: Facts): unknown {
  const paths = pathsOf(column, facts);
  if (paths.length === 0) return `metadata.${column.replaceAll(".", " ")}`;
  const { keyField } = importResources[facts.resource];
  const fullName = paths.includes("contact.firstName") && paths.includes("contact.lastName");
  const targets = paths
    .filter((path) => !(fullName && path === "contact.lastName"))
    .flatMap((path): unknown[] => {
      const joined =
        path === keyField ? (facts.id?.columns ?? [column]) : (facts.moments?.[path] ?? [column]);
      if (joined[0] !== column) return [];
      return [
        {
          to: fullName && path === "contact.firstName" ? "contact" : path,
          ...(joined.length > 1 ? { with: joined.slice(1) } : {}),
          ...(joined.length > 1 && path === keyField ? { separator: "-" } : {}),
          ...(facts.moments?.[path] ? { time: timesOf(mapped[column], facts) } : {}),
          ...(facts.values?.[column] ? { values: facts.values[column] } : {}),
          ...(facts.empty?.[column] ? { empty: facts.empty[column] } : {}),
          ...(inCents(column, path, facts) ? { scale: "0.01" } : {}),
          ...(isLeftOut(path, facts) ? { onProblem: "leaveOut" } : {}),
          ...(path.endsWith("locationUuid") ? { location: "any" } : {}),
          ...(fullName && path === "contact.firstName" ? { name: facts.names } : {}),
          ...numberOf(mapped[column]),
        },
      ];
    });
  return targets.length > 0 ? targets : null;
}

function isLeftOut(path: string, facts: Facts): boolean {
  return facts.invalid?.[path] !== undefined || facts["no time of day"]?.[path] === "leave out the field";
}

function inCents(column: string, path: string, { amounts }: Facts): boolean {
  if (!/amount|rate|tax|fee/i.test(path)) return false;
  return amounts === "cents" || (isObject(amounts) && amounts[column] === "cents");
}

/** How the mapping already writes the column, or else the usual ways in the right order. */
function timesOf(target: unknown, { dates }: Facts): unknown {
  const written = [target].flat().flatMap((one) => (isObject(one) ? [one["time"] ?? []].flat() : []));
  if (written.length > 0 && dates === undefined) return written;
  const [first, second] = dates === "month first" ? ["M", "d"] : ["d", "M"];
  const days =
    dates === undefined
      ? ["yyyy-MM-dd", "yyyy/M/d", "yyyyMMdd", "yyyy.M.d.", "d M yyyy"]
      : [".", "/", "-", " "].flatMap((mark) => [
          `${first}${mark}${second}${mark}yyyy`,
          `${first}${mark}${second}${mark}yy`,
        ]);
  const times = ["H:mm", "H:mm:ss", "h:mm a", "h:mm:ss a", "HHmm", "hhmma"];
  return days.flatMap((day) => times.map((time) => `${day} ${time}`));
}

function numberOf(target: unknown): { number?: unknown } {
  const number = [target]
    .flat()
    .map((one) => (isObject(one) ? one["number"] : undefined))
    .find(Boolean);
  return number === undefined ? {} : { number };
}

/** Whether a choice says nothing that the facts deny. */
export function agrees(patch: Record<string, unknown>, facts: Facts): boolean {
  const { columns = {}, constants = {}, leaveOut = [] } = patch;
  return (
    Object.entries(isObject(columns) ? columns : {}).every(([column, targets]) => {
      return [targets].flat().every((target: unknown) => isTrueTarget(target, column, facts));
    }) &&
    Object.entries(isObject(constants) ? constants : {}).every(([path, value]) =>
      [facts.always?.[path], uuidOf(facts.always?.[path], facts)].includes(value),
    ) &&
    [leaveOut].flat().every((filter: unknown) => isTrueFilter(filter, facts))
  );
}

function isTrueTarget(target: unknown, column: string, facts: Facts): boolean {
  const paths = pathsOf(column, facts);
  if (target === null) return paths.length === 0;
  const members: Record<string, unknown> = isObject(target) ? target : { to: target };
  const { to, with: joined, hash, timeOfDay, onProblem, scale } = members;
  if (timeOfDay !== undefined) return timeOfDay === "refuse";
  if (onProblem !== undefined && !paths.some((path) => isLeftOut(path, facts))) return false;
  if (scale !== undefined && !paths.some((path) => inCents(column, path, facts))) return false;
  if (typeof to !== "string" || to.startsWith("metadata")) return true;
  if (to === "contact") return paths.includes("contact.lastName");
  const key = importResources[facts.resource].keyField;
  const whole = to === key ? facts.id?.columns : facts.moments?.[to];
  if (to === key && hash === true) return facts.id?.hash === true;
  return paths.includes(to) && (whole === undefined || whole.length === 1 + [joined ?? []].flat().length);
}

function isTrueFilter(filter: unknown, facts: Facts): boolean {
  const { column, values } = isObject(filter) ? filter : { column: undefined, values: undefined };
  const left = facts["leave out"]?.[String(column)] ?? [];
  return Array.isArray(values) && values.every((value) => left.includes(String(value)));
}
