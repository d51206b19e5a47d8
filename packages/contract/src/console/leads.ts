import type { Static } from "typebox";
import { Type } from "../schema/type.js";
import {
  maxChangedLeads,
  maxCountedLeads,
  maxCountedNewLeads,
  maxLeadNoteLength,
  maxLeadNotes,
  maxSearchedNewLeads,
} from "../limits.js";
import { Lead } from "../entities/lead.js";
import { wireTimestamp } from "../schema/answers.js";
import { uuid } from "../schema/fields.js";
import { shownFields } from "../schema/shown-fields.js";
import { organization, type ConsoleOperation } from "./declare.js";
import {
  clearable,
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
import { bothWaysPage, bothWaysQuery } from "./paging.js";
import { KeyShown } from "./runs.js";

const text = () => nullable(Type.String());
const state = () => word(["accepted", "quarantined"]);

/** The progress of work on a lead. Independent of whether the lead is in quarantine. */
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
/** Long fields, and those needed only to work on a lead, are left out of lists. */
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
/** The submitted fields of a lead that lists show. */
export const listedLeadFields = Object.keys(listed);

export const LeadAssignee = Type.Object(
  { uuid: uuid(), email: Type.String() },
  { $id: "LeadAssignee", description: "The member who works on the lead." },
);
export type LeadAssignee = Static<typeof LeadAssignee>;

const rowFields = {
  uuid: uuid(),
  ...listed,
  location: Type.Object({ uuid: uuid(), name: Type.String() }),
  state: state(),
  workState: workState("The progress of work on it; initially new."),
  assignee: nullable(LeadAssignee),
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
      `Leads with the same email or phone, including this one; counted up to ${maxCountedLeads}.`,
    ),
  },
  { $id: "ListedLead" },
);
export type ListedLead = Static<typeof ListedLead>;

export const LeadNote = Type.Object(
  {
    uuid: uuid(),
    text: Type.String(),
    author: Type.String({ description: "The author's email at the time of writing." }),
    at: wireTimestamp(),
    isOwn: Type.Boolean({ description: "Whether the signed-in person wrote it and can delete it." }),
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
    movedBy: done("Who set its state; null: the state has not changed since submission."),
    workChanged: done("Who last changed its workState; null: no one."),
    workNotes: Type.Array(LeadNote, {
      description: `Notes about it, oldest first, at most ${maxLeadNotes}.`,
    }),
    others: Type.Array(LeadRow, {
      description: "Other leads with the same email or phone, newest first, at most 20.",
    }),
  },
  { $id: "LeadDetail" },
);
export type LeadDetail = Static<typeof LeadDetail>;

const filters = {
  state: Type.Optional(state()),
  workState: Type.Optional(workState("Leads in quarantine are left out, unless `state` asks for them.")),
  assignee: Type.Optional(
    searchedText(
      "`me`, `unassigned` or the uuid of a member. Leads in quarantine are left out, unless `state` asks for them.",
    ),
  ),
  duplicates: Type.Optional(
    word(["only", "hide"], "only: only leads that repeat an earlier one; hide: all other leads."),
  ),
  location: Type.Optional(uuid()),
  from: Type.Optional(moment()),
  to: Type.Optional(moment()),
  text: Type.Optional(
    searchedText("Searches email, name, company, phone and notes, in upper or lower case."),
  ),
};
const LeadFilters = Type.Object(filters);
export type LeadFilters = Static<typeof LeadFilters>;

const LeadsQuery = Type.Object({
  limit: bothWaysQuery.limit,
  before: bothWaysQuery.before,
  after: bothWaysQuery.after,
  total: bothWaysQuery.total,
  ...filters,
});
export type LeadsQuery = Static<typeof LeadsQuery>;

const LeadsPage = Type.Object({ ...bothWaysPage(ListedLead).properties }, { $id: "LeadsPage" });
export type LeadsPage = Static<typeof LeadsPage>;

/** What people do with leads. */
const work = {
  state: Type.Optional(state()),
  workState: Type.Optional(workState()),
  assigneeUuid: Type.Optional(
    clearable(uuid({ description: "A member of the organization; null: no one." })),
  ),
};

const lead = `${organization}/leads/:leadUuid` as const;

const list = { method: "GET", path: `${organization}/leads`, role: "viewer" } as const;

export const leadOperations = {
  listLeads: { ...list, summary: "Leads", query: LeadsQuery, answer: LeadsPage },
  downloadLeads: exportOf(list, { what: "Leads", query: LeadFilters }),
  countNewLeads: {
    method: "GET",
    path: `${organization}/new-leads`,
    role: "viewer",
    summary: "Count the new leads",
    answer: Type.Object({
      count: count(
        `Leads not in quarantine whose workState is new, at most ${maxCountedNewLeads}, among the newest ${maxSearchedNewLeads.toLocaleString("en")} leads.`,
      ),
      hasMore: Type.Boolean({ description: "Whether there are more than `count`." }),
    }),
  },
  changeLeads: {
    method: "POST",
    path: `${organization}/leads/changes`,
    role: "admin",
    audited: true,
    summary: "Change or assign several leads; all change or none",
    body: Type.Object({
      leads: Type.Array(Type.Object({ uuid: uuid(), version: editedVersion() }), {
        description: `At most ${maxChangedLeads}.`,
      }),
      ...work,
    }),
    answer: Type.Object({ changed: count("Leads that changed.") }),
  },
  getLead: {
    method: "GET",
    path: lead,
    role: "viewer",
    summary: "Get a lead with all its fields, notes and changes",
    answer: LeadDetail,
  },
  changeLead: {
    method: "PATCH",
    path: lead,
    role: "admin",
    audited: true,
    summary: "Change the work state of a lead, assign it, or move it into or out of quarantine",
    body: Type.Object({ ...work, version: editedVersion() }),
    answer: LeadDetail,
  },
  addLeadNote: {
    method: "POST",
    path: `${lead}/notes`,
    role: "admin",
    audited: true,
    summary: "Add a note to a lead",
    body: Type.Object({ text: typed(`At most ${maxLeadNoteLength} characters.`) }),
    answer: LeadNote,
  },
  removeLeadNote: {
    method: "DELETE",
    path: `${lead}/notes/:noteUuid`,
    role: "admin",
    audited: true,
    summary: "Delete one of your notes",
    answer: Type.Void(),
  },
} as const satisfies Record<string, ConsoleOperation>;
