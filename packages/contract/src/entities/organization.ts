import { Type } from "../schema/type.js";
import { flag, requiredText } from "../schema/fields.js";
import { describeEntity } from "./entity.js";

export const maxOrganizationNameLength = 256;

/** What an organization is. How it works is in its settings. */
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
