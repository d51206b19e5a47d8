import type { Static } from "typebox";
import { Type } from "../schema/type.js";
import { BookingSource, TransactionType } from "../enums.js";
import { amount, nullableAmount } from "../schema/amount.js";
import {
  anyMetadata,
  enumInteger,
  flag,
  optional,
  requiredText,
  text,
  timestamp,
  uuid,
} from "../schema/fields.js";
import { account, type Account } from "./account.js";
import { contact, type Contact } from "./contact.js";
import { describeEntity } from "./entity.js";
import { subscription, type Subscription } from "./subscription.js";
import { vehicle, type Vehicle } from "./vehicle.js";

/** A related entity nested in the transaction, by the $id of its schema. */
const nested = <T>(id: string) =>
  Type.Optional(Type.Unsafe<T | null>({ anyOf: [{ $ref: id }, { type: "null" }] }));

export const Transaction = Type.Object(
  {
    transactionId: requiredText(128, {
      description: "The customer's own id; the dedup key, unique within the organization.",
      examples: ["T-2026-000001"],
    }),
    locationUuid: uuid({ description: "Must belong to the organization." }),
    type: enumInteger(TransactionType),
    transactionDate: timestamp({ description: "When the transaction occurred, in UTC." }),

    amountTotal: amount("Gross customer charge."),
    netAmount: amount("Operator net after fees."),
    convenienceFee: amount("Convenience fee."),
    processingFee: amount("Processing fee."),
    promotionAmount: nullableAmount("Promotion amount; the only decimal that may be null."),
    cardType: optional(text(64)),
    isRefunded: optional(flag({ description: "The record represents a refund." })),
    promoApplied: optional(flag()),
    promoCode: optional(text(64)),

    sessionStart: optional(timestamp({ description: "Actual park-in." })),
    sessionEnd: optional(timestamp({ description: "Actual park-out." })),
    scheduledArrival: optional(timestamp()),
    scheduledExit: optional(timestamp()),

    bookingSource: optional(enumInteger(BookingSource, { default: BookingSource.CustomerApi })),
    metadata: anyMetadata(),

    accountUuid: optional(uuid({ description: "An existing account." })),
    accountTPReferenceId: optional(
      text(128, { description: "Resolves an existing account; never creates one." }),
    ),
    account: nested<Account>("Account"),
    contactUuid: optional(uuid({ description: "An existing contact." })),
    contact: nested<Contact>("Contact"),
    vehicleUuid: optional(uuid({ description: "An existing vehicle." })),
    vehicle: nested<Vehicle>("Vehicle"),
    subscriptionUuid: optional(uuid({ description: "An existing subscription." })),
    subscriptionTPReferenceId: optional(
      text(128, { description: "Resolves an existing subscription; never creates one." }),
    ),
    subscription: nested<Subscription>("Subscription"),
  },
  {
    $id: "Transaction",
    description:
      "A parking session, sale or reservation. Each relation is resolved by uuid if given, then by third-party reference, then from the nested object, which is matched or created.",
  },
);
export type Transaction = Static<typeof Transaction>;

export const transaction = describeEntity({
  name: "transaction",
  plural: "transactions",
  noun: "a transaction",
  schema: Transaction,
  imported: { resource: 1, maxRecords: 500 },
  key: "transactionId",
  locationField: "locationUuid",
  localTimeOf: "transactionDate",
  matchedBy: [{ field: "transactionId", via: "reference" }],
  relations: [
    {
      name: "account",
      to: account,
      uuidField: "accountUuid",
      referenceField: "accountTPReferenceId",
      nestedField: "account",
    },
    {
      name: "subscription",
      to: subscription,
      uuidField: "subscriptionUuid",
      referenceField: "subscriptionTPReferenceId",
      nestedField: "subscription",
    },
    { name: "contact", to: contact, uuidField: "contactUuid", nestedField: "contact" },
    { name: "vehicle", to: vehicle, uuidField: "vehicleUuid", nestedField: "vehicle" },
  ],
});
