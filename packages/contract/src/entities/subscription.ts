import type { Static } from "typebox";
import { Type } from "../schema/type.js";
import { SubscriptionStatus } from "../enums.js";
import { numberOfSpacesRange } from "../limits.js";
import { ReasonCode } from "../reason-codes.js";
import { amount } from "../schema/amount.js";
import {
  anyMetadata,
  dateOrTimestamp,
  enumInteger,
  integer,
  optional,
  requiredText,
  text,
  uuid,
} from "../schema/fields.js";
import { account } from "./account.js";
import { describeEntity } from "./entity.js";

export const Subscription = Type.Object(
  {
    tpReferenceId: requiredText(128, {
      description: "The customer's own id; the dedup key.",
      examples: ["PERMIT-7"],
    }),
    accountUuid: optional(uuid({ description: "An existing account." })),
    accountTPReferenceId: optional(text(128, { description: "The tpReferenceId of an existing account." })),
    locationUuid: optional(uuid({ description: "Home location; must belong to the organization." })),
    permitNumber: optional(text(64)),
    status: optional(enumInteger(SubscriptionStatus, { default: SubscriptionStatus.Active })),
    permitType: optional(text(64)),
    permitClassification: optional(text(64)),
    numberOfSpaces: optional(integer({ ...numberOfSpacesRange, default: 1 })),
    startDate: optional(dateOrTimestamp()),
    endDate: optional(dateOrTimestamp()),
    currentBaseRate: amount("Base rate."),
    currentRate: amount("Rate."),
    currentTax: amount("Tax."),
    currentFeeTotal: amount("Fees."),
    metadata: anyMetadata(),
  },
  { $id: "Subscription", description: "A recurring permit, attached to an account." },
);
export type Subscription = Static<typeof Subscription>;

export const subscription = describeEntity({
  name: "subscription",
  plural: "subscriptions",
  noun: "a subscription",
  schema: Subscription,
  imported: { resource: 3, maxRecords: 100 },
  key: "tpReferenceId",
  locationField: "locationUuid",
  matchedBy: [{ field: "tpReferenceId", via: "reference" }],
  relations: [
    {
      name: "account",
      to: account,
      uuidField: "accountUuid",
      referenceField: "accountTPReferenceId",
      isRequired: true,
    },
  ],
  notFound: ReasonCode.SubscriptionNotFound,
});
