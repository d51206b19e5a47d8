import type { Static } from "typebox";
import { Type } from "../schema/type.js";
import { operationNames } from "../operations.js";
import { ownLimitRule } from "../own-limits.js";
import { organization, type ConsoleOperation } from "./declare.js";
import { clearable, count, editedVersion, nullable, typed, version, word } from "./fields.js";

export const limitNumbers = (description: string) =>
  Type.Object({ requests: count(), windowSeconds: count() }, { description });

/** A limit as people type it. */
export const typedLimit = (meaningOfNull: string) => clearable(typed(`As ${ownLimitRule}; ${meaningOfNull}`));

export const OrganizationLimits = Type.Object(
  {
    data: Type.Array(
      Type.Object({
        operation: word(operationNames),
        method: Type.String(),
        path: Type.String(),
        per: word(["organization", "address"]),
        usual: limitNumbers("What holds for everybody who has no limit of their own."),
        own: nullable(limitNumbers("What an operator has set for this organization.")),
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
    summary: "The rate limits of an organization",
    answer: OrganizationLimits,
  },
  changeLimits: {
    method: "PATCH",
    path: `${organization}/limits`,
    role: "operator",
    audited: true,
    summary: "Give an organization limits of its own, or take them away",
    description:
      "Operations that are absent stay as they are. It counts with the next request, on every instance.",
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
