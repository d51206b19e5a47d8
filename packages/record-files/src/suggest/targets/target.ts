import { importResources } from "@gatehouse-parking/contract";
import { fieldAt, fieldTrees, type Field } from "../../record/fields.js";
import { shareOf } from "../content/weighted.js";
import type { Column } from "../columns.js";
import type { Draft, SuggestedTarget } from "../draft.js";
import type { Source } from "../sources.js";
import { flagWords } from "../vocabulary/words.js";
import { enumTarget } from "./enum-target.js";
import { locationTarget } from "./location-target.js";
import { nameTarget } from "./name-target.js";
import { numberTarget } from "./number-target.js";
import { timeTarget } from "./time-target.js";

/** Rows that may have other values before the column cannot be the field. */
const maxOdd = 0.2;

/** The target of a source in a field; undefined if the values do not fit. Asks what the values leave open. */
export function targetFor(source: Source, path: string, draft: Draft): SuggestedTarget | undefined {
  const { column } = source;
  if (path === "contact") return nameTarget(column, path, draft);
  const field = fieldAt(fieldTrees[draft.resource], path);
  if (!field) return path;
  if (path.endsWith("locationUuid")) return locationTarget(column, path, draft);
  switch (field.kind) {
    case "time":
      return timeTarget(source, path, field, draft);
    case "amount":
      return numberTarget(column, path, true, draft);
    case "integer":
      return field.names
        ? enumTarget(column, path, field.names, draft)
        : numberTarget(column, path, false, draft);
    case "flag":
      return flagTarget(column, path);
    default:
      return textTarget(column, path, field, draft);
  }
}

function flagTarget({ values }: Column, path: string): SuggestedTarget | undefined {
  const words = flagWords(values.map(({ value }) => value));
  if (!words) return undefined;
  const rules = {
    ...(words.true.length > 0 ? { true: words.true } : {}),
    ...(words.false.length > 0 ? { false: words.false } : {}),
  };
  return Object.keys(rules).length === 0 ? path : { to: path, ...rules };
}

function textTarget(
  column: Column,
  path: string,
  { kind }: Field,
  { resource }: Draft,
): SuggestedTarget | undefined {
  const { values, looks } = column;
  if (kind !== "text") return path;
  if (/email$/i.test(path) && shareOf(values, (value) => value.includes("@")) < 1 - maxOdd) return undefined;
  if (/phone/i.test(path) && shareOf(values, (value) => /^[\d\s+()./-]{5,}$/.test(value)) < 1 - maxOdd)
    return undefined;
  // A card number is not a card type and must not be stored.
  if (path === "cardType" && values.some(({ value }) => /\d{4}/.test(value))) return undefined;
  if (path === importResources[resource].keyField && (looks.has("moment") || looks.has("flag")))
    return undefined;
  return path;
}
