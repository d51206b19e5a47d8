import type { Static } from "typebox";
import { Type } from "../schema/type.js";
import { maxChangedLeads, maxCountedLeads, maxLeadNoteLength, maxLeadNotes } from "../limits.js";
import { Lead } from "../entities/lead.js";
import { wireTimestamp } from "../schema/answers.js";
import { uuid } from "../schema/fields.js";
import { shownFields } from "../schema/shown-fields.js";
import { organization, type ConsoleOperation } from "./declare.js";
import {
  count,
  editedVersion,
  exactJson,
  moment,
  nullable,
  searchedText,
  typed,
  version,
  word,
} from "./fields.js";
import { exportOf } from "./exports.js";
import { cursorPage, cursorQuery } from "./paging.js";
import { KeyShown } from "./runs.js";

const text = () => nullable(Type.String());
const state = () => word(["accepted", "quarantined"]);

/** How far people have come with a lead. Whether it is in quarantine is another matter, and stays what it is. */
export const leadWorkStates = ["new", "contacted", "closed"] as const;
export type LeadWorkState = (typeof leadWorkStates)[number];
const workState = (description?: string) => word(leadWorkStates, description);

const done = (description: string) =>
  nullable(Type.Object({ actor: Type.String(), at: wireTimestamp() }, { description }));

const {
  locationUuid: _asLocation,
  captchaToken: _used,
  captchaType: _checked,
  ...stored
} = shownFields(Lead);
/** Long ones, and those that matter once somebody works on the lead, are not in lists. */
const {
  estimatedStartDate: _start,
  estimatedStartDateString: _startText,
  sourceDetails: _details,
  notes: _notes,
  formName: _form,
  slug: _slug,
  referrerUrl: _referrer,
  metadata: _metadata,
  ...listed
} = stored;
/** The fields of a lead that its row in lists shows as they were sent. */
export const listedLeadFields = Object.keys(listed);

const rowFields = {
  uuid: uuid(),
  ...listed,
  location: Type.Object({ uuid: uuid(), name: Type.String() }),
  state: state(),
  workState: workState("How far people have come with it; new until somebody says otherwise."),
  version: version(),
  duplicateOf: nullable(uuid()),
  createdAt: wireTimestamp(),
};
export const LeadRow = Type.Object(rowFields, { $id: "LeadRow" });
export type LeadRow = Static<typeof LeadRow>;

export const ListedLead = Type.Object(
  {
    ...rowFields,
    leadsOfPerson: count(
      `Leads with the same e-mail or phone, this one included; counted up to ${maxCountedLeads}.`,
    ),
  },
  { $id: "ListedLead" },
);
export type ListedLead = Static<typeof ListedLead>;

export const LeadNote = Type.Object(
  {
    uuid: uuid(),
    text: Type.String(),
    author: Type.String({ description: "The e-mail of whoever wrote it, at that time." }),
    at: wireTimestamp(),
    isOwn: Type.Boolean({ description: "Whether whoever asks wrote it, and so may remove it." }),
  },
  { $id: "LeadNote" },
);
export type LeadNote = Static<typeof LeadNote>;

export const LeadDetail = Type.Object(
  {
    ...rowFields,
    ...stored,
    captchaType: text(),
    captchaResult: nullable(exactJson()),
    apiKey: nullable(KeyShown),
    address: Type.String(),
    userAgent: text(),
    movedBy: done("Who has put it into its state by hand; null: it is as it came in."),
    workChanged: done("Who has changed its workState last; null: nobody."),
    workNotes: Type.Array(LeadNote, {
      description: `What people noted about it, oldest first, at most ${maxLeadNotes}.`,
    }),
    others: Type.Array(LeadRow, {
      description: "Other leads with the same e-mail or phone, newest first, at most 20.",
    }),
  },
  { $id: "LeadDetail" },
);
export type LeadDetail = Static<typeof LeadDetail>;

const filters = {
  state: Type.Optional(state()),
  workState: Type.Optional(workState("Leads in quarantine are left out, unless `state` asks for them.")),
  duplicates: Type.Optional(
    word(["only", "hide"], "only: leads that repeat an earlier one; hide: without them."),
  ),
  location: Type.Optional(uuid()),
  from: Type.Optional(moment()),
  to: Type.Optional(moment()),
  text: Type.Optional(searchedText("In e-mail, name, company, phone or notes. Case does not count.")),
};
const LeadFilters = Type.Object(filters);
export type LeadFilters = Static<typeof LeadFilters>;

const LeadsQuery = Type.Object({
  ...cursorQuery,
  after: Type.Optional(uuid({ description: "The previousCursor of a page: what is newer than it." })),
  ...filters,
});
export type LeadsQuery = Static<typeof LeadsQuery>;

const LeadsPage = Type.Object(
  {
    ...cursorPage(ListedLead).properties,
    previousCursor: nullable(
      Type.String({ description: "Goes into `after` for what is newer; null: there is nothing newer." }),
    ),
  },
  { $id: "LeadsPage" },
);
export type LeadsPage = Static<typeof LeadsPage>;

const lead = `${organization}/leads/:leadUuid` as const;

const list = { method: "GET", path: `${organization}/leads`, role: "viewer" } as const;

export const leadOperations = {
  listLeads: { ...list, summary: "Leads", query: LeadsQuery, answer: LeadsPage },
  downloadLeads: exportOf(list, { what: "Leads", query: LeadFilters }),
  changeLeads: {
    method: "POST",
    path: `${organization}/leads/changes`,
    role: "admin",
    audited: true,
    summary: "Change the state of several leads, all or none",
    body: Type.Object({
      leads: Type.Array(Type.Object({ uuid: uuid(), version: editedVersion() }), {
        description: `At most ${maxChangedLeads}.`,
      }),
      state: Type.Optional(state()),
      workState: Type.Optional(workState()),
    }),
    answer: Type.Object({ changed: count("How many were not in that state already.") }),
  },
  getLead: {
    method: "GET",
    path: lead,
    role: "viewer",
    summary: "One lead with everything that came with it, and what people did with it",
    answer: LeadDetail,
  },
  changeLead: {
    method: "PATCH",
    path: lead,
    role: "admin",
    audited: true,
    summary: "Say how far people have come with a lead, take it out of quarantine, or put it there",
    body: Type.Object({
      state: Type.Optional(state()),
      workState: Type.Optional(workState()),
      version: editedVersion(),
    }),
    answer: LeadDetail,
  },
  addLeadNote: {
    method: "POST",
    path: `${lead}/notes`,
    role: "admin",
    audited: true,
    summary: "Note something about a lead",
    body: Type.Object({ text: typed(`At most ${maxLeadNoteLength} characters.`) }),
    answer: LeadNote,
  },
  removeLeadNote: {
    method: "DELETE",
    path: `${lead}/notes/:noteUuid`,
    role: "admin",
    audited: true,
    summary: "Remove a note of one's own",
    answer: Type.Void(),
  },
} as const satisfies Record<string, ConsoleOperation>;
