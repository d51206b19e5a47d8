import { contacts, locations, owner, type FieldRule } from "./rule.js";

export const accounts: readonly FieldRule[] = [
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
