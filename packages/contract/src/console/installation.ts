import type { Static } from "typebox";
import { Type } from "../schema/type.js";
import { organizationPages } from "../limits.js";
import { operationNames } from "../operations.js";
import { wireTimestamp } from "../schema/answers.js";
import { uuid } from "../schema/fields.js";
import { AuditLine, AuditQuery } from "./audit.js";
import { root, type ConsoleOperation } from "./declare.js";
import { count, nullable, oneOfNumbers, searchedText, word } from "./fields.js";
import { bothWaysPage, numberedPage, pageQuery } from "./paging.js";

/** For an organization that imports continuously, the newest runs of a week are a sufficient sample. */
export const maxCountedRuns = 20_000;

const span = (description: string) =>
  Type.Object({ runs: count(), records: count(), failed: count() }, { description });

export const OrganizationHealth = Type.Object(
  {
    uuid: uuid(),
    name: Type.String(),
    isDemo: Type.Boolean(),
    lookedAt: nullable(
      Type.Unsafe<string>({
        ...wireTimestamp(),
        description: "When these figures were computed; null: not computed yet.",
      }),
    ),
    lastRun: nullable(
      Type.Object({ referenceUuid: uuid(), startedAt: wireTimestamp(), status: oneOfNumbers([1, 2, 3]) }),
    ),
    day: span("The 24 hours before the figures were computed, limited to the newest 20,000 runs."),
    week: span("The 7 days before the figures were computed, limited to the newest 20,000 runs."),
    clockWarnings: count("Keys at locations whose times look like local times sent with a Z."),
    drifted: count(
      "Resent records that differ from the stored ones, in the newest runs of the week that skipped any.",
    ),
    failingKeys: Type.Array(
      Type.Object({
        uuid: uuid(),
        name: Type.String(),
        prefix: Type.String(),
        requests: count(),
        refused: count("Rejected requests, including 429."),
      }),
      { description: "Keys with many rejected requests in the last 24 hours." },
    ),
    limitsNear: Type.Array(Type.Object({ operation: word(operationNames), used: count(), limit: count() }), {
      description: "Operations that used 80% or more of their rate limit.",
    }),
    limitedDay: count("Requests that got 429 in the last 24 hours."),
    stored: nullable(
      Type.Object(
        { records: count(), bytes: count("Estimated.") },
        { description: "Stored rows; null: not counted yet." },
      ),
    ),
    attention: count("Weighted sum of its problems."),
  },
  { $id: "OrganizationHealth" },
);
export type OrganizationHealth = Static<typeof OrganizationHealth>;

export const healthOrders = ["attention", "name", "lastRun", "failedDay", "failedWeek", "stored"] as const;
export type HealthOrder = (typeof healthOrders)[number];

export const ServiceHealth = Type.Object(
  {
    at: wireTimestamp(),
    version: Type.String(),
    instances: Type.Array(
      Type.Object({
        uuid: uuid(),
        version: Type.String(),
        startedAt: wireTimestamp(),
        seenAt: wireTimestamp(),
        isThis: Type.Boolean({ description: "Whether this is the instance that answers." }),
      }),
      { description: "Instances with a heartbeat in the last minutes, at most 100." },
    ),
    database: Type.Object({
      version: Type.String(),
      pingMs: Type.Number({ description: "Current round-trip time." }),
      isEmbedded: Type.Boolean(),
      failedRestarts: count("Consecutive failed attempts to restart the embedded database."),
    }),
    schema: Type.Object({
      state: word(["empty", "foreign", "behind", "current", "newer", "closed"]),
      latest: nullable(Type.String({ description: "The latest applied migration." })),
    }),
    certificate: nullable(
      Type.Object(
        { expiresAt: wireTimestamp() },
        { description: "Null: this instance does not terminate TLS." },
      ),
    ),
    backup: nullable(
      Type.Object(
        { createdAt: wireTimestamp(), file: Type.String(), bytes: count() },
        { description: "The latest result of `gatehouse backup` for this data folder. Null: unknown." },
      ),
    ),
    scheduledBackups: nullable(
      Type.Object(
        {
          folder: Type.String(),
          everySeconds: count(),
          kept: count("Number of successful backups that are kept."),
          areTried: Type.Boolean({
            description: "Whether every backup is test-restored before it counts as successful.",
          }),
          lastGood: nullable(
            Type.Object({
              createdAt: wireTimestamp(),
              file: Type.String(),
              bytes: count(),
              restoredAt: nullable(wireTimestamp()),
            }),
          ),
          isRunning: Type.Boolean(),
          nextAt: wireTimestamp(),
          failure: nullable(
            Type.Object(
              { at: wireTimestamp(), message: Type.String(), attempts: count("In a row.") },
              { description: "Null: the latest attempt of this instance succeeded, or there was none." },
            ),
          ),
          isOverdue: Type.Boolean({
            description: "The latest successful backup is older than twice the interval.",
          }),
        },
        { description: "Null: this instance makes no automatic backups." },
      ),
    ),
    uploadsWaiting: count("Uploads in the queue or in progress, counted up to 1,000."),
    unknownEnds: count("Runs of this instance, since its start, whose commit outcome is unknown."),
  },
  { $id: "ServiceHealth" },
);
export type ServiceHealth = Static<typeof ServiceHealth>;

const Found = Type.Object({
  kind: word(["organization", "run", "request", "api-key"]),
  organization: Type.Object({ uuid: uuid(), name: Type.String() }),
  uuid: uuid(),
  title: Type.String(),
  at: nullable(wireTimestamp()),
});
export type FoundAnywhere = Static<typeof Found>;

export const FoundEverywhere = Type.Object(
  {
    query: Type.String(),
    hits: Type.Array(Found, { description: "At most 25." }),
    isRequestLogKept: Type.Boolean({
      description: "False: request ids cannot be found because the request log is off.",
    }),
    truncated: Type.Boolean(),
  },
  { $id: "FoundEverywhere" },
);
export type FoundEverywhere = Static<typeof FoundEverywhere>;

export const Operator = Type.Object(
  {
    uuid: uuid(),
    email: Type.String(),
    createdAt: wireTimestamp(),
    disabledAt: nullable(wireTimestamp()),
    hasPassword: Type.Boolean(),
    hasSecondFactor: Type.Boolean(),
    lastSeenAt: nullable(wireTimestamp()),
  },
  { $id: "Operator", description: "A user who sees all organizations." },
);
export type Operator = Static<typeof Operator>;

/** An entry with its organization, or null if it concerns no single one. */
const InstallationAuditLine = Type.Object(
  {
    ...AuditLine.properties,
    organization: nullable(Type.Object({ uuid: uuid(), name: nullable(Type.String()) })),
  },
  { $id: "InstallationAuditLine" },
);
export type InstallationAuditLine = Static<typeof InstallationAuditLine>;

/** Operator-only operations. */
export const installationOperations = {
  listOrganizationHealth: {
    method: "GET",
    path: `${root}/installation/organizations`,
    role: "operator",
    summary: "List all organizations with their problems",
    description:
      "The figures are computed for some organizations at a time; each has its timestamp. Sorted by attention by default.",
    query: Type.Object({
      ...pageQuery(organizationPages),
      query: Type.Optional(
        searchedText("A part of the name, in upper or lower case, or the beginning of the uuid."),
      ),
      sort: Type.Optional(word(healthOrders)),
    }),
    answer: Type.Object({
      ...numberedPage(OrganizationHealth).properties,
      oldestLook: nullable(
        Type.Unsafe<string>({
          ...wireTimestamp(),
          description:
            "The oldest timestamp of the figures of all organizations; null: some are not computed yet.",
        }),
      ),
    }),
  },
  getServiceHealth: {
    method: "GET",
    path: `${root}/installation/service`,
    role: "operator",
    summary: "Get the health of the service",
    answer: ServiceHealth,
  },
  listInstallationAudit: {
    method: "GET",
    path: `${root}/installation/audit`,
    role: "operator",
    summary: "Who did what in any organization",
    query: AuditQuery,
    answer: bothWaysPage(InstallationAuditLine),
  },
  listOperators: {
    method: "GET",
    path: `${root}/installation/operators`,
    role: "operator",
    summary: "List the operators",
    description: "Only the command line can change them.",
    answer: Type.Object({ data: Type.Array(Operator, { description: "At most 1,000." }) }),
  },
  searchEverywhere: {
    method: "GET",
    path: `${root}/installation/search`,
    role: "operator",
    summary: "Search all organizations",
    query: Type.Object({
      q: Type.Optional(
        searchedText(
          "A request id, a referenceUuid, the beginning of a key, or the name or uuid of an organization.",
        ),
      ),
    }),
    answer: FoundEverywhere,
  },
} as const satisfies Record<string, ConsoleOperation>;
