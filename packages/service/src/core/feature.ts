import type { OperationName, RateLimit } from "@gatehouse-parking/contract";
import type { ServiceHealth } from "@gatehouse-parking/contract/console";
import type { Command, Option } from "commander";
import type { FastifyBaseLogger, FastifyInstance, FastifyPluginAsync } from "fastify";
import type pg from "pg";
import type { Config } from "./config.js";
import type { Environment } from "./config/variables.js";
import type { DefineExport } from "./console/define-export.js";
import type { Database } from "./database/pool.js";
import type { AfterMigrate } from "./database/schema/migrate.js";
import type { DescribeRun } from "./imports/history/show-run.js";
import type { AnswerHeaders } from "./imports/routes.js";
import type { RequestObserver } from "./gate/key-usage.js";
import type { ImportAdmission } from "./imports/import-admission.js";
import type { ImportService } from "./imports/import-batch.js";
import type { ImportObserver } from "./imports/run.js";
import type { Instance } from "./instances.js";
import type { OrganizationChanges, OrganizationSettings } from "./organizations/configure-organization.js";
import type { SecretKeySource } from "./organizations/secret-key.js";
import type { OrganizationSetting } from "./organizations/setting.js";
import type { FindRemoved } from "./records/removed-records.js";
import type { Job } from "./scheduling/jobs.js";
import type { Section } from "./stored-tables/section.js";
import type { Metrics } from "./telemetry/metrics.js";
import type { Tracer, Tracing } from "./telemetry/tracer.js";
import type { Check } from "./verify/check.js";

/**
 * Something that the service offers beyond the specification. A feature lives in one folder of features/, and features.ts
 * lists it. The core never imports one: everything that a feature adds is named here.
 */
export interface Feature {
  readonly name: string;
  /** Features whose code it uses. Without them it cannot be registered. */
  readonly requires?: readonly string[];
  readonly environment?: Environment;
  /** Commands of its own, by name. */
  readonly commands?: Readonly<Record<string, (context: CommandContext) => Promise<Command>>>;
  /** Subcommands of a command of the core, by the name of that command. */
  readonly subcommands?: Readonly<Record<string, (context: CommandContext) => Promise<Command>>>;
  /** What `gatehouse verify` offers instead of reading everything, if its option is given. */
  readonly verifyOption?: () => Promise<CommandOption>;
  /** Rows of the table of organization settings. */
  readonly organizationSettings?: readonly OrganizationSetting[];
  /** Looks at changes of settings before `gatehouse organization configure` saves them. */
  readonly configureGuard?: () => Promise<ConfigureGuard>;
  /** What `gatehouse organization show` prints besides the organization itself. */
  readonly organizationFacts?: () => Promise<OrganizationFacts>;
  /** What is left to do after the database was migrated. */
  readonly afterMigrate?: AfterMigrate;
  /** What an operator should know about the database at the start of the service. */
  readonly databaseAdvice?: (pool: pg.Pool) => Promise<string | undefined>;
  /** Called at the start of the process, once the service listens. What it returns is shown only then. */
  readonly firstStart?: (start: Start) => Promise<FirstOrganization | undefined>;
  /** Undefined: no collector is configured. */
  readonly openTracing?: (
    config: Config,
    version: string,
    log: FastifyBaseLogger,
  ) => Promise<Tracing | undefined>;
  readonly verifyChecks?: () => Promise<readonly Check[]>;
  /** Tables of an organization, for exports and `gatehouse verify`. */
  readonly storedTables?: () => Promise<readonly Section[]>;
  /** Keeps more of each request than its count. Of several features the first does. */
  readonly observeRequests?: (config: Config) => RequestObserver | undefined;
  /** Adds statements to the transaction of an import once its outcomes are known. */
  readonly afterImport?: ImportObserver;
  /** Records that were stored and are not any more. */
  readonly findRemoved?: FindRemoved;
  /** Adds the feature to a service that is being built. */
  readonly open?: (service: Service) => Promise<OpenFeature> | OpenFeature;
}

/** What a feature adds to one running service. */
export interface OpenFeature {
  readonly routes?: FastifyPluginAsync;
  /** Operations of the console's interface, by defineConsoleOperation. */
  readonly consoleOperations?: FastifyPluginAsync;
  /** Headers of the answer to an import that was stored. */
  readonly importHeaders?: AnswerHeaders;
  /** What the console shows of an import besides its outcomes. */
  readonly describeRun?: DescribeRun;
  /** What operators see of the health of this instance. */
  readonly describeHealth?: () => Partial<ServiceHealth>;
  /** Repeated on every instance. */
  readonly jobs?: readonly Job[];
  /** Called when the service is ready. */
  readonly start?: () => void;
  readonly close?: () => Promise<void>;
}

/** What a feature gets from the service that it is added to. */
export interface Service {
  readonly app: FastifyInstance;
  readonly config: Config;
  readonly database: Database;
  readonly limits: Record<OperationName, RateLimit>;
  readonly metrics: Metrics;
  readonly tracer: Tracer;
  readonly secretKey: SecretKeySource;
  readonly imports: ImportService;
  readonly admission: ImportAdmission;
  readonly instance: Instance;
  readonly features: readonly Feature[];
  /** What features add to the transaction of every import. */
  readonly observers: readonly ImportObserver[];
  /** Whether a feature observes requests. */
  readonly areRequestsKept: boolean;
  /** Registers the file of a list; all lists share its limits. */
  readonly defineExport: DefineExport;
  /** What all features say of the health of this instance. */
  readonly describeHealth: () => Partial<ServiceHealth>;
  readonly failedDatabaseRestarts: () => number;
}

export interface Start {
  readonly config: Config;
  readonly database: Database;
  readonly isEmbedded: boolean;
  readonly actor: string;
  readonly log: Pick<FastifyBaseLogger, "warn">;
  readonly features: readonly Feature[];
}

/** An organization to try the service with. Its key is not shown again. */
export interface FirstOrganization {
  readonly organizationUuid: string;
  readonly locationUuid: string;
  readonly key: string;
}

/** What a command can use besides its own options. */
export interface CommandContext {
  readonly features: readonly Feature[];
}

export interface CommandOption {
  readonly option: Option;
  readonly example: string;
  readonly run: (value: string, options: { json?: boolean }) => Promise<void>;
}

export interface ConfigureGuard {
  readonly options: readonly Option[];
  /** The changes to save, after those that the guards of features before it have made of them. */
  readonly guard: (
    pool: pg.Pool,
    config: Config,
    changes: OrganizationChanges,
    options: Record<string, unknown>,
  ) => Promise<OrganizationChanges>;
}

export interface OrganizationFacts {
  readonly option: Option;
  readonly example: string;
  readonly read: (
    pool: pg.Pool,
    settings: OrganizationSettings,
    options: Record<string, unknown>,
  ) => Promise<Facts>;
  /** For people. */
  readonly describe: (facts: Facts) => string;
}

export type Facts = Record<string, unknown>;
