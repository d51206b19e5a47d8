import type { Static } from "typebox";
import { Type } from "../schema/type.js";
import { organizationPages } from "../limits.js";
import { operationNames } from "../operations.js";
import { wireTimestamp } from "../schema/answers.js";
import { uuid } from "../schema/fields.js";
import { root, type ConsoleOperation } from "./declare.js";
import { count, nullable, oneOfNumbers, searchedText, word } from "./fields.js";
import { numberedPage, pageQuery } from "./paging.js";

/** Where an organization imports all the time, the newest of a week's runs tell enough. */
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
        description: "When everything below was true; null: nobody has looked yet, and it says nothing.",
      }),
    ),
    lastRun: nullable(
      Type.Object({ referenceUuid: uuid(), startedAt: wireTimestamp(), status: oneOfNumbers([1, 2, 3]) }),
    ),
    day: span("The 24 hours before it was looked at, of the newest 20,000 runs."),
    week: span("The 7 days before it was looked at, of the newest 20,000 runs."),
    clockWarnings: count("Keys at locations whose times look like local times sent with a Z."),
    drifted: count("Records sent again with other values, in the newest runs of the week that skipped any."),
    failingKeys: Type.Array(
      Type.Object({
        uuid: uuid(),
        name: Type.String(),
        prefix: Type.String(),
        requests: count(),
        refused: count("Answered with an error, 429 included."),
      }),
      { description: "Keys of which many requests were refused in the last 24 hours." },
    ),
    limitsNear: Type.Array(Type.Object({ operation: word(operationNames), used: count(), limit: count() }), {
      description: "Operations of which 80 % of the requests that a window allows, or more, were used.",
    }),
    limitedDay: count("Requests answered 429 in the last 24 hours."),
    stored: nullable(
      Type.Object(
        { records: count(), bytes: count("Estimated.") },
        { description: "What it stores now; null: not counted yet." },
      ),
    ),
    attention: count("How much it needs to be looked at: the sum of what is wrong, by weight."),
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
        isThis: Type.Boolean({ description: "The one that answers." }),
      }),
      { description: "Those that said within the last minutes that they are there, at most 100." },
    ),
    database: Type.Object({
      version: Type.String(),
      pingMs: Type.Number({ description: "From question to answer, now." }),
      isEmbedded: Type.Boolean(),
      failedRestarts: count("Attempts in a row to bring the embedded one back that have failed."),
    }),
    schema: Type.Object({
      state: word(["empty", "foreign", "behind", "current", "newer", "closed"]),
      latest: nullable(Type.String({ description: "The migration that was applied last." })),
    }),
    certificate: nullable(
      Type.Object({ expiresAt: wireTimestamp() }, { description: "Null: this instance ends no TLS." }),
    ),
    backup: nullable(
      Type.Object(
        { createdAt: wireTimestamp(), file: Type.String(), bytes: count() },
        { description: "What `gatehouse backup` wrote last from this data folder. Null: not known." },
      ),
    ),
    scheduledBackups: nullable(
      Type.Object(
        {
          folder: Type.String(),
          everySeconds: count(),
          kept: count("How many good ones are kept."),
          areTried: Type.Boolean({ description: "Each is restored once before it counts as good." }),
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
              { description: "Null: the last attempt of this instance was good, or there was none." },
            ),
          ),
          isOverdue: Type.Boolean({ description: "The last good one is older than twice the interval." }),
        },
        { description: "Null: this instance makes none by itself." },
      ),
    ),
    uploadsWaiting: count("Uploads to be worked on or at work, counted up to 1,000."),
    unknownEnds: count(
      "Runs of this instance, since its start, whose commit was sent and that nobody could ask about.",
    ),
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
      description: "False: request ids are not found, because nothing keeps them.",
    }),
    truncated: Type.Boolean(),
  },
  { $id: "FoundEverywhere" },
);
export type FoundEverywhere = Static<typeof FoundEverywhere>;

/** For those who run the installation. */
export const installationOperations = {
  listOrganizationHealth: {
    method: "GET",
    path: `${root}/installation/organizations`,
    role: "operator",
    summary: "All organizations, with what needs attention",
    description:
      "The figures are looked up some organizations at a time; each says when it was true. By attention if nothing else is asked for.",
    query: Type.Object({
      ...pageQuery(organizationPages),
      query: Type.Optional(
        searchedText("A part of the name, in which case does not count, or the beginning of the uuid."),
      ),
      sort: Type.Optional(word(healthOrders)),
    }),
    answer: Type.Object({
      ...numberedPage(OrganizationHealth).properties,
      oldestLook: nullable(
        Type.Unsafe<string>({
          ...wireTimestamp(),
          description: "Of all organizations: no figure is older than this; null: some are not known yet.",
        }),
      ),
    }),
  },
  getServiceHealth: {
    method: "GET",
    path: `${root}/installation/service`,
    role: "operator",
    summary: "How the service is",
    answer: ServiceHealth,
  },
  searchEverywhere: {
    method: "GET",
    path: `${root}/installation/search`,
    role: "operator",
    summary: "Search in all organizations",
    query: Type.Object({
      q: Type.Optional(
        searchedText(
          "A request id, a referenceUuid, how a key begins, or the name or uuid of an organization.",
        ),
      ),
    }),
    answer: FoundEverywhere,
  },
} as const satisfies Record<string, ConsoleOperation>;
