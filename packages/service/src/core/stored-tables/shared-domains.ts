import { importResourceNames, importResources } from "@gatehouse-parking/contract";
import { maxEmailLength } from "../organizations/account-email.js";
import { choice, name, text } from "./domains.js";
import type { RowRule } from "./section.js";

/** "command line", or the email address of a person. */
export const actor = name(maxEmailLength);
/** An error message of the service. */
export const sentences = text(65_536);
export const resource = choice(importResourceNames.map((each) => importResources[each].resource));

/** Both fields have a value, or neither has. */
export function together(field: string, other: string): RowRule {
  return {
    field,
    must: `must be null if ${other} is, and only then`,
    isKept: (values) => (values.get(field) === null) === (values.get(other) === null),
  };
}
