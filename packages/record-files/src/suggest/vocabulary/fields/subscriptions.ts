import { locations, moments, numbers, owner, when, type FieldRule } from "./rule.js";

export const subscriptions: readonly FieldRule[] = [
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
    path: "tpReferenceId",
    needs: [["card"], ["id"]],
    never: ["moment", "date", "money", "category"],
    isGeneral: true,
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
