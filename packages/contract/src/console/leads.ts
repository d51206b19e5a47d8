import type { Static } from "typebox";
import { Type } from "../schema/type.js";
import { wireTimestamp } from "../schema/answers.js";
import { uuid } from "../schema/fields.js";
import { organization, type ConsoleOperation } from "./declare.js";
import { download, exactJson, moment, nullable, searchedText, word } from "./fields.js";
import { cursorPage, cursorQuery } from "./paging.js";
import { KeyShown } from "./runs.js";

const text = () => nullable(Type.String());
const state = () => word(["accepted", "quarantined"]);

const rowFields = {
  uuid: uuid(),
  email: Type.String(),
  firstName: text(),
  lastName: text(),
  companyName: text(),
  phone: text(),
  location: Type.Object({ uuid: uuid(), name: Type.String() }),
  source: text(),
  state: state(),
  duplicateOf: nullable(uuid()),
  createdAt: wireTimestamp(),
};
export const LeadRow = Type.Object(rowFields, { $id: "LeadRow" });
export type LeadRow = Static<typeof LeadRow>;

export const LeadDetail = Type.Object(
  {
    ...rowFields,
    estimatedStartDate: nullable(wireTimestamp()),
    estimatedStartDateString: text(),
    sourceDetails: text(),
    notes: text(),
    formName: text(),
    slug: text(),
    referrerUrl: text(),
    metadata: nullable(exactJson()),
    captchaType: text(),
    captchaResult: nullable(exactJson()),
    apiKey: nullable(KeyShown),
    address: Type.String(),
    userAgent: text(),
    movedBy: nullable(
      Type.Object(
        { actor: Type.String(), at: wireTimestamp() },
        { description: "Who has put it into its state by hand; null: it is as it came in." },
      ),
    ),
    others: Type.Array(LeadRow, {
      description: "Other leads of the same e-mail, newest first, at most 20.",
    }),
  },
  { $id: "LeadDetail" },
);
export type LeadDetail = Static<typeof LeadDetail>;

const LeadsQuery = Type.Object({
  ...cursorQuery,
  state: Type.Optional(state()),
  duplicates: Type.Optional(
    word(["only", "hide"], "only: leads that repeat an earlier one; hide: without them."),
  ),
  location: Type.Optional(uuid()),
  from: Type.Optional(moment()),
  to: Type.Optional(moment()),
  text: Type.Optional(searchedText("In e-mail, name, company, phone or notes. Case does not count.")),
});
export type LeadsQuery = Static<typeof LeadsQuery>;

export const leadOperations = {
  listLeads: {
    method: "GET",
    path: `${organization}/leads`,
    role: "viewer",
    summary: "Leads",
    query: LeadsQuery,
    answer: cursorPage(LeadRow),
  },
  downloadLeads: {
    method: "GET",
    path: `${organization}/leads.csv`,
    role: "viewer",
    audited: true,
    summary: "Leads as a file, the newest 10,000",
    query: LeadsQuery,
    answer: download("text/csv"),
  },
  getLead: {
    method: "GET",
    path: `${organization}/leads/:leadUuid`,
    role: "viewer",
    summary: "One lead with everything that came with it",
    answer: LeadDetail,
  },
  changeLead: {
    method: "PATCH",
    path: `${organization}/leads/:leadUuid`,
    role: "admin",
    audited: true,
    summary: "Take a lead out of quarantine, or put it there",
    body: Type.Object({ state: state() }),
    answer: LeadDetail,
  },
} as const satisfies Record<string, ConsoleOperation>;
