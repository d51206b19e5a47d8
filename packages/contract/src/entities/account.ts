import type { Static } from "typebox";
import { Type } from "../schema/type.js";
import { AccountType } from "../enums.js";
import { ReasonCode } from "../reason-codes.js";
import {
  anyMetadata,
  email,
  enumInteger,
  flag,
  optional,
  phone,
  requiredText,
  text,
  uuid,
} from "../schema/fields.js";
import { describeEntity } from "./entity.js";

export const Account = Type.Object(
  {
    tpReferenceId: requiredText(128, {
      description: "The customer's own id; the dedup key.",
      examples: ["ACME-0042"],
    }),
    name: requiredText(256, { description: "Company name.", examples: ["Acme Logistics"] }),
    accountNumber: optional(text(128)),
    type: optional(enumInteger(AccountType, { default: AccountType.Monthly })),
    isActive: optional(flag({ default: true })),
    contactName: optional(text(256)),
    contactEmail: optional(email(320)),
    contactPhoneNumber: optional(phone(32)),
    locationUuid: optional(uuid({ description: "Primary location; must belong to the organization." })),
    metadata: anyMetadata(),
  },
  { $id: "Account", description: "A company that is billed monthly." },
);
export type Account = Static<typeof Account>;

export const account = describeEntity({
  name: "account",
  plural: "accounts",
  noun: "an account",
  schema: Account,
  imported: { resource: 2, maxRecords: 100 },
  key: "tpReferenceId",
  locationField: "locationUuid",
  personalFields: ["contactName", "contactEmail", "contactPhoneNumber"],
  matchedBy: [{ field: "tpReferenceId", via: "reference" }],
  relations: [],
  notFound: ReasonCode.AccountNotFound,
});
