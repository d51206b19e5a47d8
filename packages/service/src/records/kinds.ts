import { emailKey, isPhone, phoneDigits, plateKey } from "@gatehouse-parking/contract";

/**
 * How each kind of stored record is shown: the interface's field names and the columns behind them. `text` covers
 * everything the driver returns as it should be shown; the others say what their column holds.
 */
export type ColumnType = "text" | "timestamp" | "decimal" | "json";

export interface Field {
  column: string;
  type: ColumnType;
}

export interface Reference {
  column: string;
  /** What is looked up in the column for a given text; an empty key finds nothing. */
  key: (text: string) => string;
  /** Several records may have the same key; the newest is meant. */
  newestOf?: true;
}

export interface RecordKind {
  table: string;
  /** Ways to find a record besides its uuid, in the order in which they are tried. */
  references: Reference[];
  fields: Record<string, Field>;
}

const asGiven = (text: string): string => text;
/** Digits in an e-mail address or a reference are no phone number. */
const phoneKey = (text: string): string => (isPhone(text) ? phoneDigits(text) : "");
const text = (column: string): Field => ({ column, type: "text" });
const timestamp = (column: string): Field => ({ column, type: "timestamp" });
const decimal = (column: string): Field => ({ column, type: "decimal" });
const json = (column: string): Field => ({ column, type: "json" });

/** What every imported record has. */
const imported = {
  metadata: json("metadata"),
  importReferenceUuid: text("import_run_id"),
  createdAt: timestamp("created_at"),
};

export const recordKinds = {
  transaction: {
    table: "transactions",
    references: [{ column: "transaction_id", key: asGiven }],
    fields: {
      uuid: text("id"),
      transactionId: text("transaction_id"),
      locationUuid: text("location_id"),
      type: text("type"),
      transactionDate: timestamp("transaction_date"),
      timeZone: text("time_zone"),
      localDate: text("local_date"),
      utcOffsetSeconds: text("utc_offset_seconds"),
      amountTotal: decimal("amount_total"),
      netAmount: decimal("net_amount"),
      convenienceFee: decimal("convenience_fee"),
      processingFee: decimal("processing_fee"),
      promotionAmount: decimal("promotion_amount"),
      cardType: text("card_type"),
      isRefunded: text("is_refunded"),
      promoApplied: text("promo_applied"),
      promoCode: text("promo_code"),
      sessionStart: timestamp("session_start"),
      sessionEnd: timestamp("session_end"),
      scheduledArrival: timestamp("scheduled_arrival"),
      scheduledExit: timestamp("scheduled_exit"),
      bookingSource: text("booking_source"),
      accountUuid: text("account_id"),
      contactUuid: text("contact_id"),
      vehicleUuid: text("vehicle_id"),
      subscriptionUuid: text("subscription_id"),
      accountFoundBy: text("account_via"),
      contactFoundBy: text("contact_via"),
      vehicleFoundBy: text("vehicle_via"),
      subscriptionFoundBy: text("subscription_via"),
      ...imported,
    },
  },
  account: {
    table: "accounts",
    references: [{ column: "tp_reference_id", key: asGiven }],
    fields: {
      uuid: text("id"),
      tpReferenceId: text("tp_reference_id"),
      name: text("name"),
      accountNumber: text("account_number"),
      type: text("type"),
      isActive: text("is_active"),
      contactName: text("contact_name"),
      contactEmail: text("contact_email"),
      contactPhoneNumber: text("contact_phone_number"),
      locationUuid: text("location_id"),
      ...imported,
    },
  },
  contact: {
    table: "contacts",
    references: [
      { column: "email_key", key: emailKey },
      { column: "phone_key", key: phoneKey },
      { column: "tp_reference_id", key: asGiven, newestOf: true },
    ],
    fields: {
      uuid: text("id"),
      email: text("email"),
      phoneNumber: text("phone_number"),
      firstName: text("first_name"),
      lastName: text("last_name"),
      tpReferenceId: text("tp_reference_id"),
      ...imported,
    },
  },
  vehicle: {
    table: "vehicles",
    references: [{ column: "plate_key", key: plateKey }],
    fields: {
      uuid: text("id"),
      licensePlate: text("license_plate"),
      state: text("state"),
      year: text("year"),
      make: text("make"),
      model: text("model"),
      color: text("color"),
      type: text("type"),
      ...imported,
    },
  },
  subscription: {
    table: "subscriptions",
    references: [{ column: "tp_reference_id", key: asGiven }],
    fields: {
      uuid: text("id"),
      tpReferenceId: text("tp_reference_id"),
      accountUuid: text("account_id"),
      locationUuid: text("location_id"),
      permitNumber: text("permit_number"),
      status: text("status"),
      permitType: text("permit_type"),
      permitClassification: text("permit_classification"),
      numberOfSpaces: text("number_of_spaces"),
      startDate: timestamp("start_date"),
      endDate: timestamp("end_date"),
      currentBaseRate: decimal("current_base_rate"),
      currentRate: decimal("current_rate"),
      currentTax: decimal("current_tax"),
      currentFeeTotal: decimal("current_fee_total"),
      ...imported,
    },
  },
  lead: {
    table: "leads",
    references: [
      { column: "idempotency_key", key: asGiven },
      { column: "email_key", key: emailKey, newestOf: true },
    ],
    fields: {
      uuid: text("id"),
      email: text("email"),
      locationUuid: text("location_id"),
      firstName: text("first_name"),
      lastName: text("last_name"),
      companyName: text("company_name"),
      phone: text("phone"),
      estimatedStartDate: timestamp("estimated_start_date"),
      estimatedStartDateString: text("estimated_start_date_string"),
      source: text("source"),
      sourceDetails: text("source_details"),
      notes: text("notes"),
      formName: text("form_name"),
      slug: text("slug"),
      referrerUrl: text("referrer_url"),
      metadata: json("metadata"),
      state: text("state"),
      duplicateOfUuid: text("duplicate_of"),
      captchaType: text("captcha_type"),
      captchaResult: json("captcha_result"),
      apiKeyUuid: text("api_key_id"),
      address: text("address"),
      userAgent: text("user_agent"),
      idempotencyKey: text("idempotency_key"),
      createdAt: timestamp("created_at"),
    },
  },
} as const satisfies Record<string, RecordKind>;

export type RecordKindName = keyof typeof recordKinds;
export const recordKindNames = Object.keys(recordKinds) as RecordKindName[];
