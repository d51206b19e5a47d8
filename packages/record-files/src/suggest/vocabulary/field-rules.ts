import type { ImportResourceName } from "@gatehouse-parking/contract";
import type { Look } from "../content/looks.js";
import type { Concept } from "./header-words.js";

/** Which concepts in a header, and which look of the values, make a column a field. */
export interface FieldRule {
  path: string;
  /** One concept of each group must be in the header. */
  needs: readonly (readonly Concept[])[];
  /** Others that may be beside them. With another one the header means something else. */
  may?: readonly Concept[];
  /** Looks of which the values must have one. */
  looks?: readonly Look[];
  /** Looks that the values must not have. */
  never?: readonly Look[];
  /** A header that many fields could have; a more particular one takes precedence. */
  isGeneral?: true;
}

const when: readonly Concept[] = ["date", "time", "moment"];
const papers: readonly Concept[] = ["transaction", "ticket", "receipt", "booking", "session", "pay", "issue"];
const money: readonly Concept[] = [
  "amount",
  "total",
  "gross",
  "pay",
  "transaction",
  "ticket",
  "session",
  "receipt",
  "currency",
  "cents",
  "parking",
];
const owner: readonly Concept[] = ["customer", "company"];
const people: readonly Concept[] = ["person", "customer", "company", "booking", "pay", "ticket", "receipt"];
const moments = ["moment", "date", "clock", "number"] as const;
const numbers = ["number"] as const;

const locations: readonly FieldRule[] = [
  {
    path: "locationUuid",
    needs: [["location"], ["id", "code"]],
    may: ["location", "parking", "name"],
    never: ["money", "moment", "date"],
  },
  {
    path: "locationUuid",
    needs: [["location"]],
    may: ["location", "parking", "name", "code", "id", "permit"],
    never: ["money", "moment", "date", "flag"],
  },
  {
    path: "locationUuid",
    needs: [["parking"]],
    may: ["name", "code", "id"],
    never: ["money", "moment", "date", "flag", "number"],
    isGeneral: true,
  },
];

const contacts = (email: string, phone: string): readonly FieldRule[] => [
  { path: email, needs: [["email"]], may: people.concat("id", "company", "address"), looks: ["email"] },
  {
    path: phone,
    needs: [["phone"]],
    may: people.concat("id", "company", "address"),
    never: ["email", "date", "moment", "flag", "category"],
  },
];

const transactions: readonly FieldRule[] = [
  {
    path: "transactionId",
    needs: [
      ["transaction", "ticket", "receipt", "booking", "session"],
      ["id", "code"],
    ],
    may: [...papers, "id", "parking"],
    never: ["moment", "date", "money", "flag", "category"],
  },
  {
    path: "transactionId",
    needs: [["transaction", "ticket", "receipt", "booking"]],
    may: papers,
    looks: ["unique", "uuid"],
    never: ["moment", "date", "money", "category"],
    isGeneral: true,
  },
  {
    path: "transactionId",
    needs: [["id"]],
    may: ["code"],
    never: ["moment", "date", "money", "category"],
    isGeneral: true,
  },
  ...locations,
  {
    path: "type",
    needs: [
      ["type"],
      [
        "transaction",
        "customer",
        "session",
        "permit",
        "ticket",
        "person",
        "parking",
        "booking",
        "rate",
        "product",
      ],
    ],
    may: ["code", "name"],
    looks: ["category", "constant"],
    never: ["money"],
  },
  {
    path: "type",
    needs: [["type"]],
    may: ["code"],
    looks: ["category", "constant"],
    never: ["money"],
    isGeneral: true,
  },
  {
    path: "transactionDate",
    needs: [["pay", "transaction"], when],
    may: [...when, ...papers],
    looks: moments,
  },
  { path: "transactionDate", needs: [["issue"]], may: [...when, ...papers], looks: moments },
  {
    path: "transactionDate",
    needs: [["ticket", "receipt"], when],
    may: [...when, ...papers],
    looks: moments,
  },
  { path: "transactionDate", needs: [["pay"]], may: [...when, "transaction"], looks: ["moment", "date"] },
  { path: "transactionDate", needs: [when], may: when, looks: ["moment", "date", "number"], isGeneral: true },
  {
    path: "scheduledArrival",
    needs: [
      ["plan", "booking"],
      ["entry", "start"],
    ],
    may: [...when, "parking", "session", "booking", "plan"],
    looks: moments,
  },
  {
    path: "scheduledExit",
    needs: [
      ["plan", "booking"],
      ["exit", "end"],
    ],
    may: [...when, "parking", "session", "booking", "plan"],
    looks: moments,
  },
  {
    path: "scheduledExit",
    needs: [["expiry"]],
    may: [...when, "valid", "ticket", "session", "parking", "permit"],
    looks: moments,
  },
  {
    path: "scheduledExit",
    needs: [["valid"], ["end"]],
    may: [...when, "ticket", "session", "parking"],
    looks: moments,
  },
  {
    path: "transactionDate",
    needs: [["booking", "plan"]],
    may: when,
    looks: ["moment", "date"],
    isGeneral: true,
  },
  {
    path: "sessionStart",
    needs: [["entry"]],
    may: [...when, "parking", "session", "vehicle", "location", "ticket", "transaction"],
    looks: moments,
    never: ["category"],
  },
  {
    path: "sessionEnd",
    needs: [["exit"]],
    may: [...when, "parking", "session", "vehicle", "location", "ticket", "transaction"],
    looks: moments,
    never: ["category"],
  },
  {
    path: "sessionStart",
    needs: [["start"]],
    may: [...when, "parking", "session", "transaction", "ticket"],
    looks: moments,
    isGeneral: true,
  },
  {
    path: "sessionEnd",
    needs: [["end"]],
    may: [...when, "parking", "session", "transaction", "ticket", "expiry"],
    looks: moments,
    isGeneral: true,
  },
  {
    path: "amountTotal",
    needs: [
      ["amount", "total"],
      ["total", "gross", "pay", "transaction"],
    ],
    may: [...money, "tax"],
    looks: numbers,
    never: ["flag"],
  },
  {
    path: "amountTotal",
    needs: [["amount", "total", "gross", "pay"]],
    may: money,
    looks: numbers,
    never: ["flag"],
    isGeneral: true,
  },
  {
    path: "amountTotal",
    needs: [
      ["parking", "ticket", "session"],
      ["fee", "rate"],
    ],
    may: [...money, "fee", "rate"],
    looks: numbers,
    never: ["flag"],
    isGeneral: true,
  },
  { path: "netAmount", needs: [["net"]], may: [...money, "tax"], looks: numbers, never: ["flag"] },
  {
    path: "convenienceFee",
    needs: [["service"], ["fee", "amount"]],
    may: [...money, "booking", "fee"],
    looks: numbers,
    never: ["flag"],
  },
  {
    path: "processingFee",
    needs: [["processing", "card", "transaction", "pay"], ["fee"]],
    may: [...money, "card"],
    looks: numbers,
    never: ["flag"],
  },
  {
    path: "promotionAmount",
    needs: [["discount"]],
    may: [...money, "discount"],
    looks: numbers,
    never: ["flag"],
  },
  { path: "promoApplied", needs: [["discount"]], may: ["pay", "id"], looks: ["flag"] },
  {
    path: "promoCode",
    needs: [["discount"]],
    may: ["code", "id", "name"],
    never: ["number", "flag", "money"],
  },
  {
    path: "cardType",
    needs: [
      ["pay", "card"],
      ["method", "type", "make"],
    ],
    may: ["card", "pay", "method", "type"],
    looks: ["category", "constant", "text"],
    never: ["money", "cardNumber", "personName"],
  },
  {
    path: "cardType",
    needs: [["card", "method", "pay"]],
    may: ["name"],
    looks: ["category", "constant"],
    never: ["money", "number", "flag", "cardNumber", "moment", "date"],
    isGeneral: true,
  },
  { path: "isRefunded", needs: [["refund"]], may: ["status", "transaction", "pay"], looks: ["flag"] },
  {
    path: "bookingSource",
    needs: [["channel"]],
    may: ["booking", "pay", "transaction", "type"],
    looks: ["category", "constant"],
    never: ["money"],
  },
  {
    path: "accountTPReferenceId",
    needs: [owner, ["id", "code"]],
    may: owner,
    never: ["moment", "date", "money", "email"],
  },
  ...contacts("contact.email", "contact.phoneNumber"),
  {
    path: "contact.firstName",
    needs: [["first"]],
    may: [...people, "name"],
    looks: ["text"],
    never: ["flag"],
  },
  { path: "contact.lastName", needs: [["last"]], may: [...people, "name"], looks: ["text"], never: ["flag"] },
  {
    path: "contact",
    needs: [["person", "customer"], ["name"]],
    may: people,
    looks: ["text"],
    never: ["flag"],
  },
  {
    path: "contact",
    needs: [["person", "customer", "name"]],
    may: people,
    looks: ["personName"],
    isGeneral: true,
  },
  {
    path: "vehicle.state",
    needs: [["region"], ["plate", "vehicle"]],
    may: ["plate", "vehicle", "code"],
    looks: ["text"],
  },
  {
    path: "vehicle.licensePlate",
    needs: [["plate"]],
    may: ["id", "vehicle", "code", "pay"],
    never: ["moment", "date", "money", "flag"],
  },
  { path: "vehicle.licensePlate", needs: [["vehicle"]], may: ["id"], looks: ["plate"], isGeneral: true },
  { path: "vehicle.make", needs: [["make"]], may: ["vehicle", "name"], looks: ["text"] },
  { path: "vehicle.model", needs: [["model"]], may: ["vehicle", "name"], never: ["moment", "date", "money"] },
  { path: "vehicle.color", needs: [["color"]], may: ["vehicle", "name"], looks: ["text"] },
  { path: "vehicle.type", needs: [["vehicle"], ["type"]], looks: ["text"] },
];

const accounts: readonly FieldRule[] = [
  {
    path: "tpReferenceId",
    needs: [owner, ["id", "code"]],
    may: owner,
    never: ["moment", "date", "money", "email", "category"],
  },
  { path: "tpReferenceId", needs: [["id"]], never: ["moment", "date", "money", "category"], isGeneral: true },
  {
    path: "accountNumber",
    needs: [owner, ["id", "code"]],
    may: owner,
    never: ["moment", "date", "money", "email"],
    isGeneral: true,
  },
  {
    path: "name",
    needs: [["company"]],
    may: ["name", "customer"],
    looks: ["text"],
    never: ["email", "flag"],
  },
  {
    path: "contactName",
    needs: [["person"]],
    may: ["name", "customer", "company"],
    looks: ["text"],
    never: ["email", "flag"],
  },
  {
    path: "name",
    needs: [["customer"]],
    may: ["name"],
    looks: ["text"],
    never: ["email", "flag", "category"],
  },
  { path: "name", needs: [["name"]], looks: ["text"], never: ["email", "flag"], isGeneral: true },
  { path: "isActive", needs: [["active", "status"]], may: ["customer"], looks: ["flag"] },
  // A blocked account is not active, so its values mean the opposite.
  { path: "isActive", needs: [["blocked"]], looks: [] },
  { path: "type", needs: [["type"]], may: owner, looks: ["category", "constant"], never: ["money"] },
  ...contacts("contactEmail", "contactPhoneNumber"),
  ...locations,
];

const subscriptions: readonly FieldRule[] = [
  {
    path: "tpReferenceId",
    needs: [["permit"], ["id", "code"]],
    may: ["permit"],
    never: ["moment", "date", "money", "category"],
  },
  { path: "tpReferenceId", needs: [["id"]], never: ["moment", "date", "money", "category"], isGeneral: true },
  {
    path: "accountTPReferenceId",
    needs: [owner, ["id", "code"]],
    may: owner,
    never: ["moment", "date", "money", "email"],
  },
  {
    path: "permitNumber",
    needs: [
      ["permit", "card"],
      ["id", "code"],
    ],
    may: ["permit", "card"],
    never: ["moment", "date", "money"],
    isGeneral: true,
  },
  {
    path: "status",
    needs: [["status"]],
    may: ["permit"],
    looks: ["category", "constant"],
    never: ["money", "moment", "date"],
  },
  {
    path: "tpReferenceId",
    needs: [["card"], ["id"]],
    never: ["moment", "date", "money", "category"],
    isGeneral: true,
  },
  {
    path: "permitClassification",
    needs: [["class"]],
    may: ["permit", "code"],
    looks: ["category", "constant"],
    never: ["money"],
  },
  {
    path: "permitType",
    needs: [["type", "product"]],
    may: ["permit", "rate", "card", "name", "type", "product"],
    looks: ["category", "constant"],
    never: ["money"],
  },
  { path: "numberOfSpaces", needs: [["spaces"]], may: ["id", "parking"], looks: numbers, never: ["money"] },
  { path: "startDate", needs: [["start", "entry"]], may: [...when, "permit", "valid"], looks: moments },
  {
    path: "endDate",
    needs: [["end", "expiry", "exit"]],
    may: [...when, "permit", "valid", "expiry", "end"],
    looks: moments,
  },
  {
    path: "currentRate",
    needs: [["rate"]],
    may: ["amount", "permit", "currency", "cents", "pay", "month"],
    looks: numbers,
  },
  {
    path: "currentRate",
    needs: [["amount"]],
    may: ["permit", "currency", "cents", "pay", "month", "parking"],
    looks: numbers,
    isGeneral: true,
  },
  { path: "currentTax", needs: [["tax"]], may: ["amount"], looks: numbers },
  { path: "currentFeeTotal", needs: [["fee"]], may: ["amount", "total"], looks: numbers },
  ...locations,
];

export const fieldRules: Readonly<Partial<Record<ImportResourceName, readonly FieldRule[]>>> = {
  transactions,
  accounts,
  subscriptions,
};

/** Headers that name something without a field of its own. The column goes into the metadata without a question of its own. */
export const otherConcepts: ReadonlySet<Concept> = new Set([
  ...(["tax", "duration", "admin", "currency", "balance", "tip", "staff", "address"] as const),
]);
