import { fieldFacts } from "../records/record-facts.js";
import { toLabel } from "../records/record-kinds.js";
import { texts } from "./texts.js";

/** The fields of a location, with what the pages call them. */
export const locationFields = fieldFacts.location.map((field) => ({
  ...field,
  label: texts.fields[field.name] ?? toLabel(field.name),
}));
