import {
  importResources,
  type EntityDescription,
  type ImportResourceName,
} from "@gatehouse-parking/contract";
import { fieldAt, fieldTrees } from "../../record/fields.js";
import { pathOf, type Draft, type MappingPatch, type SuggestedTarget } from "../draft.js";
import type { Column } from "../columns.js";
import type { Source } from "../sources.js";
import { enumMeaning } from "../vocabulary/words.js";
import { fieldChoices } from "./unclaimed.js";

interface Choice {
  id: string;
  patch: MappingPatch;
}

const maxChoices = 60;
const maxLocations = 50;
const maxCategories = 6;

/** Fields that every record needs. */
function requiredPaths(resource: ImportResourceName): readonly string[] {
  const { schema, relations }: EntityDescription = importResources[resource].entity;
  const links = relations
    .filter(({ isRequired }) => isRequired)
    .map(({ referenceField = "" }) => referenceField);
  return [...(schema.required ?? []), ...links];
}

/** Asks for each field that every record needs and no column contains, with what could supply it. */
export function askForRequired(sources: readonly Source[], draft: Draft): void {
  const given = draft.paths();
  for (const path of requiredPaths(draft.resource)) {
    if (given.has(path)) continue;
    const choices = choicesFor(path, sources, draft).slice(0, maxChoices);
    draft.ask({
      id: `required:${path}`,
      code: "requiredMissing",
      data: { path },
      rows: draft.profile.rowCount,
      columns: isTime(path, draft) ? columnsIn(choices).slice(0, 3) : [],
      shows: [path],
      choices,
    });
  }
}

/** Whether the choices are columns with times, which are shown as they are. */
function isTime(path: string, { resource }: Draft): boolean {
  return fieldAt(fieldTrees[resource], path)?.kind === "time";
}

function columnsIn(choices: readonly Choice[]): string[] {
  return [...new Set(choices.flatMap(({ patch }) => Object.keys(patch.columns ?? {})))];
}

function choicesFor(path: string, sources: readonly Source[], draft: Draft): Choice[] {
  const field = fieldAt(fieldTrees[draft.resource], path);
  if (path === importResources[draft.resource].keyField) return keyChoices(draft);
  if (path === "locationUuid")
    return [
      ...(draft.locations ?? [])
        .slice(0, maxLocations)
        .map(({ name, uuid }) => ({ id: name, patch: { constants: { [path]: uuid } } })),
      ...categories(draft).map(({ name }) => ({
        id: `column ${name}`,
        patch: { columns: { [name]: draft.targetsWith(name, { to: path, location: "any", values: {} }) } },
      })),
    ];
  if (field?.names)
    return [
      ...Object.keys(field.names).map((name) => ({ id: name, patch: { constants: { [path]: name } } })),
      ...categories(draft).flatMap((column) => enumChoice(column, path, field.names ?? {}, draft)),
    ];
  if (field?.kind === "time")
    return [...copiedTimes(path, draft), ...sources.flatMap((source) => timeChoices(source, draft))];
  return draft.columns
    .filter(({ looks }) => looks.has("text") || looks.has("unique"))
    .map(({ name }) => ({ id: name, patch: { columns: { [name]: draft.targetsWith(name, path) } } }));
}

/** Columns of few values that no field has. */
function categories(draft: Draft): Column[] {
  return draft.columns
    .filter(({ name, looks }) => looks.has("category") && !looks.has("flag") && isFree(name, draft))
    .slice(0, maxCategories);
}

function isFree(name: string, draft: Draft): boolean {
  return (draft.targets.get(name) ?? []).every((target) => pathOf(target).startsWith("metadata."));
}

/** The column as an enumeration, if some of its words are known. */
function enumChoice(
  { name, values }: Column,
  path: string,
  names: Readonly<Record<string, number>>,
  draft: Draft,
): Choice[] {
  const words = Object.fromEntries(
    values.flatMap(({ value }) => {
      const meant = enumMeaning(path, value);
      return meant !== undefined && meant in names ? [[value, meant]] : [];
    }),
  );
  if (Object.keys(words).length === 0) return [];
  return [
    {
      id: `column ${name}`,
      patch: { columns: { [name]: draft.targetsWith(name, { to: path, values: words }) } },
    },
  ];
}

/** A time of the same record that could also be this one. */
function copiedTimes(path: string, draft: Draft): Choice[] {
  return ["sessionEnd", "sessionStart", "scheduledExit", "scheduledArrival"].flatMap((other) =>
    [...draft.targets].flatMap(([name, targets]): Choice[] => {
      const found = targets.find((target) => pathOf(target) === other);
      if (found === undefined) return [];
      const copy: SuggestedTarget = typeof found === "string" ? path : { ...found, to: path };
      return [{ id: other, patch: { columns: { [name]: [...targets, copy] } } }];
    }),
  );
}

function timeChoices(source: Source, draft: Draft): Choice[] {
  if (draft.targets.get(source.column.name)?.some((target) => !pathOf(target).startsWith("metadata.")))
    return [];
  return fieldChoices(source, { fits: (path) => path === "transactionDate" }, draft).map(({ id, patch }) => ({
    id: id.replace(
      "transactionDate",
      [source.column, ...(source.clock ? [source.clock] : [])].map(({ name }) => name).join(" + "),
    ),
    patch: { columns: Object.fromEntries(Object.entries(patch.columns ?? {}).map(asAddition)) },
  }));
}

/** A list is added to what another answer says about the column. */
function asAddition([column, target]: [string, unknown]): [string, SuggestedTarget[]] {
  return [column, [target as SuggestedTarget]];
}

/** Columns that could be an id: unique ones, pairs that are unique together, and a hash of the whole row. */
export function keyChoices(draft: Draft, except: readonly string[] = []): Choice[] {
  const key = importResources[draft.resource].keyField;
  const able = draft.columns.filter(
    ({ name, profile, looks }) =>
      !except.includes(name) &&
      profile.filled > 0 &&
      !looks.has("cardNumber") &&
      !looks.has("money") &&
      !looks.has("flag"),
  );
  const isUnique = (names: readonly string[]) => isUniqueInSample(names, draft);
  const put = (name: string, target: SuggestedTarget): MappingPatch => ({
    columns: { [name]: draft.targetsWith(name, target) },
  });
  const single = able.filter(({ name, looks }) => looks.has("unique") && isUnique([name]));
  const pairs = able
    .flatMap((one, index) => able.slice(index + 1).map((other) => [one.name, other.name] as const))
    .filter(
      ([one, other]) => !single.some(({ name }) => name === one || name === other) && isUnique([one, other]),
    );
  const [first, ...rest] = draft.columns.filter(({ profile }) => profile.filled > 0).map(({ name }) => name);
  return [
    ...single.map(({ name }) => ({ id: name, patch: put(name, key) })),
    ...pairs.slice(0, 5).map(([one, other]) => ({
      id: `${one} + ${other}`,
      patch: put(one, { to: key, with: [other], separator: "-" }),
    })),
    ...(first === undefined
      ? []
      : [
          {
            id: "hash of the row",
            patch: put(first, { to: key, with: rest.slice(0, 90), separator: "|", hash: true }),
          },
        ]),
  ];
}

function isUniqueInSample(names: readonly string[], { profile }: Draft): boolean {
  const positions = names.map((name) => profile.columns.findIndex((column) => column.name === name));
  const keys = profile.rows.map(({ cells }) =>
    positions.map((position) => cells[position] ?? "").join("\u0000"),
  );
  return (
    new Set(keys).size === keys.length &&
    !profile.rows.some(({ cells }) => positions.some((position) => (cells[position] ?? "") === ""))
  );
}
