import type { Static } from "typebox";
import { Type } from "../schema/type.js";
import { uuid } from "../schema/fields.js";
import { nullable } from "./fields.js";

export type ResolvedVia =
  | "uuid"
  | "reference"
  | "email"
  | "phone"
  | "plate"
  | "created"
  | "dropped"
  | (string & {});
export const resolvedVia = () =>
  Type.Unsafe<ResolvedVia>({
    type: "string",
    examples: ["uuid", "reference", "email", "phone", "plate", "created", "dropped"],
  });

export const ResolvedRelation = Type.Object(
  { via: resolvedVia(), uuid: nullable(uuid({ description: "Null when dropped." })) },
  { $id: "ResolvedRelation" },
);
export type ResolvedRelation = Static<typeof ResolvedRelation>;

export const ResolutionTrace = Type.Object(
  {
    account: Type.Optional(ResolvedRelation),
    contact: Type.Optional(ResolvedRelation),
    vehicle: Type.Optional(ResolvedRelation),
    subscription: Type.Optional(ResolvedRelation),
  },
  {
    $id: "ResolutionTrace",
    description: "How each relation was found or made. Relations that the record did not have are absent.",
  },
);
export type ResolutionTrace = Static<typeof ResolutionTrace>;
