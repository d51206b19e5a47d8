import { Type, type Static } from "typebox";
import { BookingSource, TransactionType } from "../enums.js";
import { amount, nullableAmount } from "./amount.js";
import { enumInteger, flag, metadata, optional, requiredText, text, timestamp, uuid } from "./fields.js";
import type { Account, Contact, Subscription, Vehicle } from "./related.js";

/** A related entity that travels inside the transaction, by the $id of its schema. */
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
    metadata: optional(
      metadata({
        description: "Arbitrary JSON, up to 64 levels deep. It is kept and returned exactly as sent.",
      }),
    ),

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
      "A parking session, sale or reservation. Each relation is taken by uuid if one is given, then by third-party reference, then from the nested object, which is matched or created.",
  },
);
export type Transaction = Static<typeof Transaction>;
