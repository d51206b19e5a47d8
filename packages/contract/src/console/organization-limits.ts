import type { Static } from "typebox";
import { Type } from "../schema/type.js";
import { operationNames } from "../operations.js";
import { limitOverrideRule } from "../limit-override.js";
import { organization, type ConsoleOperation } from "./declare.js";
import { clearable, count, editedVersion, nullable, typed, version, word } from "./fields.js";

export const limitNumbers = (description: string) =>
  Type.Object({ requests: count(), windowSeconds: count() }, { description });

/** A limit in the form that people type. */
export const typedLimit = (meaningOfNull: string) =>
  clearable(typed(`As ${limitOverrideRule}; ${meaningOfNull}`));

export const OrganizationLimits = Type.Object(
  {
    data: Type.Array(
      Type.Object({
        operation: word(operationNames),
        method: Type.String(),
        path: Type.String(),
        per: word(["organization", "address"]),
        usual: limitNumbers("The default limit."),
        own: nullable(limitNumbers("The override that an operator set for this organization.")),
        used: nullable(count("Requests in the current window. Null: counted per client address.")),
      }),
    ),
    version: version(),
  },
  { $id: "OrganizationLimits" },
);
export type OrganizationLimits = Static<typeof OrganizationLimits>;

export const organizationLimitOperations = {
  getLimits: {
    method: "GET",
    path: `${organization}/limits`,
    role: "viewer",
    summary: "Get the rate limits of an organization and their current use",
    answer: OrganizationLimits,
  },
  changeLimits: {
    method: "PATCH",
    path: `${organization}/limits`,
    role: "operator",
    audited: true,
    summary: "Set or remove limit overrides for an organization",
    description: "Absent operations do not change. Takes effect with the next request on every instance.",
    body: Type.Object({
      limits: Type.Array(
        Type.Object({
          operation: word(operationNames),
          limit: Type.Optional(typedLimit("null: the usual one.")),
        }),
      ),
      version: editedVersion(),
    }),
    answer: OrganizationLimits,
  },
} as const satisfies Record<string, ConsoleOperation>;
