import { importResourceNames, importResources } from "@gatehouse-parking/contract";
import { maxEmailLength } from "../organizations/account-email.js";
import { choice, name, text } from "./domains.js";
import type { RowRule } from "./section.js";

/** "command line", or the e-mail address of a person. */
export const actor = name(maxEmailLength);
/** Sentences that the service wrote, about everything that is wrong with one record at most. */
export const sentences = text(65_536);
export const resource = choice(importResourceNames.map((each) => importResources[each].resource));

/** Both are given, or neither is. */
export function together(field: string, other: string): RowRule {
  return {
    field,
    must: `must be null if ${other} is, and only then`,
    isKept: (values) => (values.get(field) === null) === (values.get(other) === null),
  };
}
