import type { ConsoleApi } from "./index.js";

/**
 * Every route of the console's interface and the least role that may use it. The hook in access.ts enforces this
 * table and nothing else does, so what a role may do can be read here; a test walks it with every role.
 */
export interface ConsoleRoute {
  method: "GET" | "POST" | "PATCH" | "DELETE";
  path: string;
  /** public: without a session. viewer: anyone who is signed in. */
  role: "public" | "viewer" | "admin" | "operator";
}

const root = "/console/api";
const organization = `${root}/organizations/:organizationUuid`;

const get = (path: string, role: ConsoleRoute["role"] = "viewer"): ConsoleRoute => ({
  method: "GET",
  path,
  role,
});
const post = (path: string, role: ConsoleRoute["role"] = "admin"): ConsoleRoute => ({
  method: "POST",
  path,
  role,
});
const patch = (path: string): ConsoleRoute => ({ method: "PATCH", path, role: "admin" });

export const consoleRoutes = {
  signIn: post(`${root}/session`, "public"),
  signInByLink: post(`${root}/session/link`, "public"),
  getSession: get(`${root}/session`),
  signOut: { method: "DELETE", path: `${root}/session`, role: "viewer" },
  changePassword: post(`${root}/session/password`, "viewer"),

  listOrganizations: get(`${root}/organizations`),
  createOrganization: post(`${root}/organizations`, "operator"),
  getOrganization: get(organization),
  changeSettings: patch(organization),

  listMembers: get(`${organization}/members`),
  inviteMember: post(`${organization}/members`),
  changeMember: patch(`${organization}/members/:userUuid`),
  resetMember: post(`${organization}/members/:userUuid/sign-in-link`),
  listAudit: get(`${organization}/audit`, "admin"),

  listApiKeys: get(`${organization}/api-keys`),
  createApiKey: post(`${organization}/api-keys`),
  rotateApiKey: post(`${organization}/api-keys/:keyUuid/rotate`),
  revokeApiKey: post(`${organization}/api-keys/:keyUuid/revoke`),

  listRuns: get(`${organization}/runs`),
  getRun: get(`${organization}/runs/:referenceUuid`),
  downloadFailures: get(`${organization}/runs/:referenceUuid/failures.:format`),

  search: get(`${organization}/search`),
  listRecords: get(`${organization}/records/:kind`),
  getRecord: get(`${organization}/records/:kind/:recordUuid`),

  listLeads: get(`${organization}/leads`),
  downloadLeads: get(`${organization}/leads.csv`),
  getLead: get(`${organization}/leads/:leadUuid`),
  changeLead: patch(`${organization}/leads/:leadUuid`),

  listLocations: get(`${organization}/locations`),
  createLocation: post(`${organization}/locations`),
  getLocation: get(`${organization}/locations/:locationUuid`),
  changeLocation: patch(`${organization}/locations/:locationUuid`),
  previewLocationImport: post(`${organization}/location-imports/preview`),
  importLocations: post(`${organization}/location-imports`),
  listTimeZones: get(`${root}/time-zones`),

  getOutcomes: get(`${organization}/overview/outcomes`),
  getTopReasons: get(`${organization}/overview/reasons`),
  getLocalDays: get(`${organization}/overview/local-days`),
  getLocalHours: get(`${organization}/overview/local-hours`),
  getLimitUse: get(`${organization}/overview/limits`),
  getKeyUse: get(`${organization}/overview/key-use`),
  getClockWarnings: get(`${organization}/overview/clock-warnings`),

  importBatch: post(`${organization}/imports/:resource`),
  validateBatch: post(`${organization}/imports/:resource/validate`),

  getSandbox: get(`${organization}/sandbox`),
  runSample: post(`${organization}/sandbox/samples/:sampleName/run`),
  resetSandbox: post(`${organization}/sandbox/reset`),
} as const satisfies Record<keyof ConsoleApi, ConsoleRoute>;

export type ConsoleRouteName = keyof typeof consoleRoutes;
