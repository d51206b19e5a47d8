import { Type } from "../schema/type.js";
import { flag, requiredText } from "../schema/fields.js";
import { describeEntity } from "./entity.js";

export const maxOrganizationNameLength = 256;

/** The identity of an organization. Its settings are described separately. */
export const OrganizationFields = Type.Object({
  name: requiredText(maxOrganizationNameLength),
  isDemo: Type.Optional(flag({ default: false })),
});

export const organization = describeEntity({
  name: "organization",
  plural: "organizations",
  noun: "an organization",
  schema: OrganizationFields,
  matchedBy: [],
  relations: [],
});
