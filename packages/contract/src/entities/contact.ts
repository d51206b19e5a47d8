import type { Static } from "typebox";
import { Type } from "../schema/type.js";
import { emailKey, isPhone, phoneDigits } from "../checking/formats.js";
import { ReasonCode } from "../reason-codes.js";
import { anyMetadata, email, optional, phone, text } from "../schema/fields.js";
import { describeEntity } from "./entity.js";

export const Contact = Type.Object(
  {
    email: optional(
      email(320, { description: "Matched first: trimmed, in lower case.", examples: ["jo@example.com"] }),
    ),
    phoneNumber: optional(
      phone(32, {
        description: "Matched by its digits when no email matches.",
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

export const contact = describeEntity({
  name: "contact",
  plural: "contacts",
  noun: "a contact",
  schema: Contact,
  otherReference: "tpReferenceId",
  personalFields: "all",
  matchedBy: [
    { field: "email", via: "email", toKey: emailKey, couldBe: (typed) => typed.includes("@") },
    { field: "phoneNumber", via: "phone", toKey: phoneDigits, couldBe: isPhone },
  ],
  relations: [],
  notFound: ReasonCode.ContactNotFound,
});
