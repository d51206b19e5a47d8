import { failurePrefix } from "../../table.js";
import { unnamedColumn } from "../../header/column-names.js";
import { fieldAt, fieldTrees, knownPaths, type Field } from "../../record/fields.js";
import { mergePatch } from "../../record/merge-patch.js";
import type { Column } from "../columns.js";
import type { Look } from "../content/looks.js";
import { Draft, metadataOf, type MappingPatch } from "../draft.js";
import { singleOf, type Source } from "../sources.js";
import type { Matches } from "../match-columns.js";
import { targetFor } from "../targets/target.js";
import { timeReadings } from "../targets/time-target.js";
import { otherConcepts } from "../vocabulary/field-rules.js";

interface Kind {
  look: Look;
  /** Used in the question. */
  text: string;
  /** The fields that such a column could be. */
  fits(path: string, field: Field | undefined): boolean;
}

const endsWith =
  (...ends: readonly string[]) =>
  (path: string) =>
    ends.some((end) => path.toLowerCase().endsWith(end));
const isTime = (_: string, field: Field | undefined) => field?.kind === "time";

/** Columns whose values are worth a question, whatever their name. The first look that fits decides. */
const kinds: readonly Kind[] = [
  { look: "email", text: "email addresses", fits: endsWith("email") },
  { look: "moment", text: "times", fits: isTime },
  { look: "date", text: "dates", fits: isTime },
  { look: "epoch", text: "times in seconds or milliseconds since 1970", fits: isTime },
  { look: "foreignDate", text: "dates in a format or calendar that is not known", fits: () => false },
  { look: "clock", text: "times of day without a date", fits: () => false },
  { look: "money", text: "amounts of money", fits: (_, field) => field?.kind === "amount" },
  { look: "phone", text: "phone numbers", fits: endsWith("phonenumber") },
  {
    look: "plate",
    text: "license plates",
    fits: endsWith("licenseplate", "transactionid", "tpreferenceid", "permitnumber"),
  },
  { look: "uuid", text: "identifiers", fits: endsWith("transactionid", "tpreferenceid", "uuid") },
  {
    look: "personName",
    text: "names of persons or companies",
    fits: endsWith("contact", "name", "lastname"),
  },
  {
    look: "unique",
    text: "identifiers",
    fits: endsWith("transactionid", "tpreferenceid", "licenseplate", "permitnumber", "promocode"),
  },
];

const maxChoices = 12;
const maxFlags = 4;

interface Choice {
  id: string;
  patch: MappingPatch;
}

/** Handles the columns that no field has claimed: asks by content, or keeps them in the metadata. */
export function placeUnclaimed(
  { sources, near }: { sources: readonly Source[] } & Pick<Matches, "near">,
  draft: Draft,
): void {
  const inMetadata: string[] = [];
  for (const [position, column] of draft.columns.entries()) {
    const { name, profile } = column;
    if (draft.targets.has(name) || isClockOfAnother(column, sources, draft)) continue;
    if (name.startsWith(failurePrefix)) continue;
    // A trailing separator creates such a column; the reader skips it.
    if (profile.filled === 0 && name === unnamedColumn(position)) continue;
    if (column.looks.has("cardNumber")) {
      draft.targets.set(name, []);
      const choices = [{ id: "left out", patch: {} }];
      draft.ask({
        id: `card:${name}`,
        code: "cardNumbers",
        data: { column: name },
        rows: profile.filled,
        columns: [],
        choices,
        assumed: "left out",
      });
      continue;
    }
    draft.put(name, metadataOf(name));
    const possible = near.filter((one) => one.source.column === column).map(({ path }) => path);
    if (!askWhatItIs(column, possible, sources, draft)) inMetadata.push(name);
  }
  if (inMetadata.length > 0)
    draft.ask({
      id: "metadata",
      code: "metadata",
      data: { columns: inMetadata },
      rows: draft.profile.rowCount,
      columns: inMetadata.slice(0, 3),
      choices: [
        { id: "metadata", patch: {} },
        { id: "left out", patch: { columns: Object.fromEntries(inMetadata.map((name) => [name, null])) } },
      ],
      assumed: "metadata",
    });
}

function isClockOfAnother({ name }: Column, sources: readonly Source[], draft: Draft): boolean {
  return sources.some(({ column, clock }) => clock?.name === name && draft.targets.has(column.name));
}

/** Returns whether there was a reason to ask. */
function askWhatItIs(
  column: Column,
  near: readonly string[],
  sources: readonly Source[],
  draft: Draft,
): boolean {
  const { name, profile, meaning, looks } = column;
  if (profile.filled === 0) return false;
  if ([...meaning.concepts].some((concept) => otherConcepts.has(concept))) return false;
  const kind = looks.has("constant") ? undefined : kinds.find(({ look }) => looks.has(look));
  if (!kind && near.length === 0) return false;
  const source = sources.find((one) => one.column === column) ?? singleOf(column);
  const fits = (path: string, field: Field | undefined) =>
    near.includes(path) || kind?.fits(path, field) === true;
  const choices = [
    ...fieldChoices(source, { fits }, draft),
    ...near.flatMap((path) => flagChoices(column, path, draft)),
  ];
  draft.ask({
    id: `column:${name}`,
    code: "columnMeans",
    data: { column: name, looks: kind?.text ?? near.join(" or ") },
    rows: profile.filled,
    columns: [name],
    choices: [
      ...choices.slice(0, maxChoices),
      { id: "metadata", patch: {} },
      { id: "left out", patch: { columns: { [name]: null } } },
    ],
  });
  return true;
}

/** Both ways to read a column of few words as a flag. */
function flagChoices({ name, values }: Column, path: string, { resource }: Draft): Choice[] {
  const field = fieldAt(fieldTrees[resource], path);
  if (field?.kind !== "flag" || values.length > maxFlags) return [];
  const words = values.map(({ value }) => value);
  return words.map((word) => ({
    id: `${path} if ${word}`,
    patch: {
      columns: { [name]: { to: path, true: [word], false: words.filter((other) => other !== word) } },
    },
  }));
}

/** Questions about how a field is read, which have an answer for all values. */
const refining: ReadonlySet<string> = new Set(["nameOrder", "minorUnits", "ambiguousNumbers"]);

/** The free fields that a source could be, each with the readings of its values. */
export function fieldChoices(source: Source, { fits }: Pick<Kind, "fits">, draft: Draft): Choice[] {
  const tree = fieldTrees[draft.resource];
  const taken = draft.paths();
  const { name } = source.column;
  return knownPaths(tree)
    .filter(
      (path) =>
        !taken.has(path) &&
        !path.startsWith("subscription.") &&
        !path.startsWith("account.") &&
        fits(path, fieldAt(tree, path)),
    )
    .flatMap((path): Choice[] => {
      const field = fieldAt(tree, path);
      if (field?.kind === "time") {
        if ((source.column.times?.withZone ?? 1) < 1) draft.zoneless.add(name);
        return timeReadings(source, path).map((target) => {
          const [pattern] = typeof target === "string" ? [] : ([target["time"]].flat() as string[]);
          return {
            id: pattern === undefined ? path : `${path} ${pattern}`,
            patch: { columns: { [name]: target } },
          };
        });
      }
      // What the values leave open becomes choices, so the questions of this draft are dropped.
      const scratch = new Draft(draft.resource, draft.profile, draft.columns, draft.locations, draft.index);
      const target = targetFor(source, path, scratch);
      if (target === undefined) return [];
      const choice = { id: path, patch: { columns: { [name]: target } } };
      const open = scratch.questions.find(({ code }) => refining.has(code));
      if (!open) return [choice];
      return open.choices
        .filter(({ id }) => id !== "metadata")
        .map(({ id, patch }) => ({
          id: `${path} (${id})`,
          patch: mergePatch(choice.patch, { ...patch }) as MappingPatch,
        }));
    });
}
