import type { Statement } from "../../database/pipeline.js";

/** Imports of one organization are judged one after the other, on whatever instance they are. */
export function lockStatement(organizationId: string): Statement {
  return {
    name: "lock-organization",
    text: "select from import_turns where organization_id = $1 for no key update",
    values: [organizationId],
  };
}
