import type { Look } from "../../content/looks.js";
import type { Concept } from "../header-words.js";

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

export const when: readonly Concept[] = ["date", "time", "moment"];
export const papers: readonly Concept[] = [
  "transaction",
  "ticket",
  "receipt",
  "booking",
  "session",
  "pay",
  "issue",
];
export const money: readonly Concept[] = [
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
export const owner: readonly Concept[] = ["customer", "company"];
export const people: readonly Concept[] = [
  "person",
  "customer",
  "company",
  "booking",
  "pay",
  "ticket",
  "receipt",
];
export const moments = ["moment", "date", "clock", "number"] as const;
export const numbers = ["number"] as const;

export const locations: readonly FieldRule[] = [
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

export const contacts = (email: string, phone: string): readonly FieldRule[] => [
  { path: email, needs: [["email"]], may: people.concat("id", "company", "address"), looks: ["email"] },
  {
    path: phone,
    needs: [["phone"]],
    may: people.concat("id", "company", "address"),
    never: ["email", "date", "moment", "flag", "category"],
  },
];
