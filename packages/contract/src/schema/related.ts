import { Type, type Static } from "typebox";
import { AccountType, SubscriptionStatus } from "../enums.js";
import { numberOfSpacesRange } from "../limits.js";
import { amount } from "./amount.js";
import {
  dateOrTimestamp,
  email,
  enumInteger,
  flag,
  integer,
  licensePlate,
  metadata,
  optional,
  phone,
  requiredText,
  text,
  uuid,
} from "./fields.js";

const anyMetadata = () =>
  optional(
    metadata({
      description: "Arbitrary JSON, up to 64 levels deep. It is kept and returned exactly as sent.",
    }),
  );

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

export const Contact = Type.Object(
  {
    email: optional(
      email(320, { description: "Matched first: trimmed, in lower case.", examples: ["jo@example.com"] }),
    ),
    phoneNumber: optional(
      phone(32, {
        description: "Matched by its digits when no e-mail matches.",
        examples: ["+1-5550100123"],
      }),
    ),
    firstName: optional(text(128)),
    lastName: optional(text(128)),
    tpReferenceId: optional(text(128, { description: "The customer's own id, kept for cross-reference." })),
    metadata: anyMetadata(),
  },
  {
    $id: "Contact",
    description: "A person. One of email and phoneNumber is required.",
    anyOf: [{ required: ["email"] }, { required: ["phoneNumber"] }],
  },
);
export type Contact = Static<typeof Contact>;

export const Vehicle = Type.Object(
  {
    licensePlate: licensePlate(32, {
      description: "Matched by its letters and digits, in upper case.",
      examples: ["ABC 1234"],
    }),
    state: optional(text(8, { description: "State or province code.", examples: ["NY"] })),
    year: optional(integer({ minimum: -2147483648, maximum: 2147483647 })),
    make: optional(text(64)),
    model: optional(text(64)),
    color: optional(text(32)),
    type: optional(text(32)),
    metadata: anyMetadata(),
  },
  { $id: "Vehicle", description: "A vehicle." },
);
export type Vehicle = Static<typeof Vehicle>;

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
