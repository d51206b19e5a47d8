import { fieldFacts } from "../records/record-facts.js";
import { toLabel } from "../records/record-kinds.js";

/** Where the name of the field says less. */
const labels: Record<string, string> = {
  state: "State or province",
  zipcode: "Zip code",
  tpReferenceId: "Third-party reference",
  isActive: "Active",
};

/** The fields of a location, with what the pages call them. */
export const locationFields = fieldFacts.location.map((field) => ({
  ...field,
  label: labels[field.name] ?? toLabel(field.name),
}));
