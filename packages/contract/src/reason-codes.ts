/** Why a record was Skipped or Failed. `advice` is shown in the documentation and the console. */
export const ReasonCode = {
  DuplicateTransactionId: 1,
  LocationNotFound: 2,
  InvalidVendor: 3,
  MissingRequiredField: 4,
  ValidationFailed: 5,
  AccountNotFound: 6,
  SubscriptionNotFound: 7,
  ContactNotFound: 8,
  VehicleNotFound: 9,
  InternalError: 99,
} as const;
export type ReasonCode = (typeof ReasonCode)[keyof typeof ReasonCode];

/**
 * The `errorDetail` of a Skipped record contains this text if the stored record has other values than the sent one. The names
 * of the fields follow it.
 */
export const storedWithOtherValues = "already stored with other values";

export interface ReasonDescription {
  code: ReasonCode;
  name: keyof typeof ReasonCode;
  meaning: string;
  advice: string;
}

export const reasons: readonly ReasonDescription[] = [
  {
    code: 1,
    name: "DuplicateTransactionId",
    meaning: `A record with this reference is already stored. Nothing was changed; the result carries the stored record's uuid. If the stored record has other values, errorDetail says "${storedWithOtherValues}" and names the fields.`,
    advice:
      "A record that is resent unchanged needs no action: treat it as a success. If the values differ, find out whether two records have the same reference by mistake. Stored records cannot be updated by sending them again.",
  },
  {
    code: 2,
    name: "LocationNotFound",
    meaning: "A locationUuid is not one of the organization's locations.",
    advice: "Take the uuid from GET /integrations/locations and send the record again.",
  },
  {
    code: 3,
    name: "InvalidVendor",
    meaning: "Reserved for internal use; never returned.",
    advice: "Nothing to do.",
  },
  {
    code: 4,
    name: "MissingRequiredField",
    meaning: "A required field of the record, or of an object nested in it, is missing, null or blank.",
    advice: "The error detail names every missing field by its path. Add them and send the record again.",
  },
  {
    code: 5,
    name: "ValidationFailed",
    meaning: "A field is present but wrong: its type, format, range, length or enumeration value.",
    advice:
      "The error detail names every wrong field and what it must be. Correct them and send the record again.",
  },
  {
    code: 6,
    name: "AccountNotFound",
    meaning: "The account that the record refers to does not exist in the organization.",
    advice: "Import the account first, or correct accountUuid or accountTPReferenceId.",
  },
  {
    code: 7,
    name: "SubscriptionNotFound",
    meaning: "The subscription that the record refers to does not exist in the organization.",
    advice: "Import the subscription first, or correct subscriptionUuid or subscriptionTPReferenceId.",
  },
  {
    code: 8,
    name: "ContactNotFound",
    meaning: "The contact named by contactUuid does not exist in the organization.",
    advice: "Correct contactUuid, or send the contact as a nested object instead.",
  },
  {
    code: 9,
    name: "VehicleNotFound",
    meaning: "The vehicle named by vehicleUuid does not exist in the organization.",
    advice: "Correct vehicleUuid, or send the vehicle as a nested object instead.",
  },
  {
    code: 99,
    name: "InternalError",
    meaning:
      "The service could not store this record, or does not know whether it did; see errorDetail. The other records of the batch were stored, unless the answer is 500.",
    advice:
      "Send the affected records again; stored ones are skipped. If they keep failing, report the request id of the answer.",
  },
];

/** A record with several problems gets the first of these reason codes. */
export const reasonPrecedence: readonly ReasonCode[] = [4, 5, 2, 6, 7, 8, 9];

export function reasonName(code: number): string {
  return reasons.find((reason) => reason.code === code)?.name ?? `Reason ${code}`;
}
