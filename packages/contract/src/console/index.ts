/**
 * The console's own HTTP interface: JSON under /console/api, for the console's pages and nobody else. It is separate
 * from the public endpoints, may change with every release, and is used with a session cookie instead of a key.
 *
 * Types only: the web application imports this file and bundles nothing of it. `ConsoleApi` lists every route with
 * what it takes and answers; route-table.ts says who may use it, and a test keeps both lists equal.
 *
 * Rules that hold everywhere
 * - Writes need the console's own origin and Content-Type: application/json (an empty body is `{}`).
 * - Refusals have the shape ConsoleError. 204 answers have no body (`void`).
 * - Organization routes answer 404 to members of another organization, as if it did not exist.
 * - `:kind`, `:resource` and `:format` are the literal words of the types named beside the route.
 */
import type { ImportRun, Location, ValidationReport } from "../index.js";
import type { CursorPage } from "./common.js";
import type * as keys from "./keys.js";
import type * as locations from "./locations.js";
import type * as overview from "./overview.js";
import type * as people from "./people.js";
import type * as records from "./records.js";
import type * as runs from "./runs.js";
import type * as sandbox from "./sandbox.js";

export * from "./route-table.js";
export type * from "./common.js";
export type * from "./keys.js";
export type * from "./locations.js";
export type * from "./overview.js";
export type * from "./people.js";
export type * from "./records.js";
export type * from "./runs.js";
export type * from "./sandbox.js";

interface Route<Answer, Body = undefined, Query = undefined> {
  answer: Answer;
  body: Body;
  query: Query;
}

/** A file: open its address in a link; it is sent as an attachment. */
type Download = string;

/** Every route by name. ORG is /console/api/organizations/:organizationUuid. Roles: route-table.ts. */
export interface ConsoleApi {
  /** POST /console/api/session, without a session */
  signIn: Route<people.Session, people.SignInRequest>;
  /** POST /console/api/session/link, without a session */
  signInByLink: Route<people.Session, people.LinkSignInRequest>;
  /** GET /console/api/session */
  getSession: Route<people.Session>;
  /** DELETE /console/api/session */
  signOut: Route<void>;
  /** POST /console/api/session/password */
  changePassword: Route<people.Session, people.ChangePasswordRequest>;

  /** GET /console/api/organizations: operators all, others their own */
  listOrganizations: Route<people.OrganizationList, undefined, people.ListOrganizationsQuery>;
  /** POST /console/api/organizations, operator */
  createOrganization: Route<people.OrganizationSummary, people.CreateOrganizationRequest>;
  /** GET ORG */
  getOrganization: Route<people.OrganizationSettings>;
  /** PATCH ORG, admin */
  changeSettings: Route<people.OrganizationSettings, people.ChangeSettingsRequest>;

  /** GET ORG/members */
  listMembers: Route<people.MemberList>;
  /** POST ORG/members, admin */
  inviteMember: Route<people.Invitation, people.InviteMemberRequest>;
  /** PATCH ORG/members/:userUuid, admin */
  changeMember: Route<people.Member, people.ChangeMemberRequest>;
  /** POST ORG/members/:userUuid/sign-in-link, admin: forgets the password, ends the sessions, makes a new link */
  resetMember: Route<people.Invitation, Record<string, never>>;
  /** GET ORG/audit, admin */
  listAudit: Route<CursorPage<people.AuditLine>, undefined, people.AuditQuery>;

  /** GET ORG/api-keys */
  listApiKeys: Route<keys.ApiKeyList>;
  /** POST ORG/api-keys, admin */
  createApiKey: Route<keys.CreatedApiKey, keys.CreateApiKeyRequest>;
  /** POST ORG/api-keys/:keyUuid/rotate, admin */
  rotateApiKey: Route<keys.CreatedApiKey, keys.RotateApiKeyRequest>;
  /** POST ORG/api-keys/:keyUuid/revoke, admin */
  revokeApiKey: Route<keys.ConsoleApiKey, Record<string, never>>;

  /** GET ORG/runs */
  listRuns: Route<CursorPage<runs.RunSummary>, undefined, runs.RunsQuery>;
  /** GET ORG/runs/:referenceUuid */
  getRun: Route<runs.RunDetail>;
  /** GET ORG/runs/:referenceUuid/failures.:format (csv or ndjson) */
  downloadFailures: Route<Download>;

  /** GET ORG/search */
  search: Route<records.SearchAnswer, undefined, records.SearchQuery>;
  /** GET ORG/records/:kind (RecordKind) */
  listRecords: Route<CursorPage<records.RecordRow>, undefined, records.RecordsQuery>;
  /** GET ORG/records/:kind/:recordUuid */
  getRecord: Route<records.RecordDetail>;

  /** GET ORG/leads */
  listLeads: Route<CursorPage<records.LeadRow>, undefined, records.LeadsQuery>;
  /** GET ORG/leads.csv: same filters, the newest 10,000 */
  downloadLeads: Route<Download, undefined, records.LeadsQuery>;
  /** GET ORG/leads/:leadUuid */
  getLead: Route<records.LeadDetail>;
  /** PATCH ORG/leads/:leadUuid, admin */
  changeLead: Route<records.LeadDetail, records.ChangeLeadRequest>;

  /** GET ORG/locations */
  listLocations: Route<locations.LocationPageAnswer, undefined, locations.LocationsQuery>;
  /** POST ORG/locations, admin */
  createLocation: Route<Location, locations.CreateLocationRequest>;
  /** GET ORG/locations/:locationUuid */
  getLocation: Route<Location>;
  /** PATCH ORG/locations/:locationUuid, admin */
  changeLocation: Route<Location, locations.ChangeLocationRequest>;
  /** POST ORG/location-imports/preview, admin: 200 also when there are problems */
  previewLocationImport: Route<locations.LocationImportPreview, locations.LocationImportRequest>;
  /** POST ORG/location-imports, admin: 400 `invalid` when there are problems */
  importLocations: Route<locations.LocationImportAnswer, locations.LocationImportRequest>;
  /** GET /console/api/time-zones */
  listTimeZones: Route<locations.TimeZoneList>;

  /** GET ORG/overview/outcomes */
  getOutcomes: Route<overview.Outcomes, undefined, overview.OutcomesQuery>;
  /** GET ORG/overview/reasons */
  getTopReasons: Route<overview.TopReasons, undefined, overview.ReasonsQuery>;
  /** GET ORG/overview/local-days */
  getLocalDays: Route<overview.LocalDays, undefined, overview.LocalDaysQuery>;
  /** GET ORG/overview/local-hours */
  getLocalHours: Route<overview.LocalHours, undefined, overview.LocalHoursQuery>;
  /** GET ORG/overview/limits */
  getLimitUse: Route<overview.LimitUse>;
  /** GET ORG/overview/key-use */
  getKeyUse: Route<overview.KeyUse, undefined, overview.KeyUseQuery>;
  /** GET ORG/overview/clock-warnings */
  getClockWarnings: Route<overview.ClockWarnings>;

  /**
   * POST ORG/imports/:resource (transactions, accounts, subscriptions), admin. The body is the batch of the public
   * endpoint, and so is everything it answers, refusals and X-RateLimit headers included: 200 ImportRun, 400, 413,
   * 429, and 500 with the run's shape. Only 401, 403 and 404 are the console's.
   */
  importBatch: Route<ImportRun, Record<string, unknown>>;
  /** POST ORG/imports/:resource/validate, admin: the same without storing anything */
  validateBatch: Route<ValidationReport, Record<string, unknown>>;

  /** GET ORG/sandbox: 404 unless it is the demo organization */
  getSandbox: Route<sandbox.Sandbox>;
  /** POST ORG/sandbox/samples/:sampleName/run, admin */
  runSample: Route<sandbox.SampleRun, Record<string, never>>;
  /** POST ORG/sandbox/reset, admin: removes everything imported and submitted; locations, keys and members stay */
  resetSandbox: Route<sandbox.SandboxReset, Record<string, never>>;
}
