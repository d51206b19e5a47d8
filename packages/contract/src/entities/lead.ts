import type { Static } from "typebox";
import { Type } from "../schema/type.js";
import { captchaTypes } from "../captcha.js";
import { emailKey, isPhone, phoneDigits } from "../checking/formats.js";
import { leadSources } from "../enums.js";
import { wireTimestamp } from "../schema/answers.js";
import {
  dateOrTimestamp,
  email,
  enumText,
  leadPhone,
  metadata,
  optional,
  text,
  uuid,
} from "../schema/fields.js";
import { describeEntity } from "./entity.js";

export const Lead = Type.Object(
  {
    email: email(255, { examples: ["jo@example.com"] }),
    locationUuid: Type.Unsafe<string>({ ...uuid(), maxLength: 36 }),
    firstName: optional(text(100)),
    lastName: optional(text(100)),
    companyName: optional(text(100)),
    phone: optional(leadPhone(20, { examples: ["+1-555-010-0123"] })),
    estimatedStartDate: optional(dateOrTimestamp()),
    estimatedStartDateString: optional(text(100, { description: "Free-form start date." })),
    source: optional(enumText(leadSources, 100)),
    sourceDetails: optional(text(200)),
    notes: optional(text(2000)),
    formName: optional(text(100)),
    slug: optional(text(200, { description: "Slug of the page where the form was submitted." })),
    referrerUrl: optional(text(500)),
    metadata: optional(metadata({ description: "Custom form fields. They are kept exactly as sent." })),
    captchaToken: optional(
      Type.Unsafe<string>({
        type: "string",
        description: "Needed if captcha is enabled for the organization.",
      }),
    ),
    captchaType: optional(enumText(captchaTypes)),
  },
  { $id: "Lead" },
);
export type Lead = Static<typeof Lead>;

export const lead = describeEntity({
  name: "lead",
  plural: "leads",
  noun: "a lead",
  schema: Lead,
  locationField: "locationUuid",
  unstoredFields: ["captchaToken", "captchaType"],
  personalFields: "all",
  matchedBy: [
    { field: "email", via: "email", toKey: emailKey },
    { field: "phone", via: "phone", toKey: phoneDigits, couldBe: isPhone },
  ],
  relations: [],
});

export const LeadAccepted = Type.Object(
  { success: Type.Literal(true), message: Type.String(), leadUuid: uuid(), timestamp: wireTimestamp() },
  { $id: "LeadAccepted" },
);
export type LeadAccepted = Static<typeof LeadAccepted>;
