import type { OperationName, RateLimit } from "@gatehouse-parking/contract";
import type { ServiceHealth } from "@gatehouse-parking/contract/console";
import type { Command, Option } from "commander";
import type { FastifyBaseLogger, FastifyInstance, FastifyPluginAsync } from "fastify";
import type pg from "pg";
import type { Config } from "./config.js";
import type { Environment } from "./config/variables.js";
import type { DefineExport } from "./console/define-export.js";
import type { Database } from "./database/pool.js";
import type { DatabaseCheck } from "./database/schema/migrate.js";
import type { RequestObserver } from "./gate/key-usage.js";
import type { DescribeRun } from "./imports/history/show-run.js";
import type { ImportAdmission } from "./imports/import-admission.js";
import type { ImportService } from "./imports/import-batch.js";
import type { ImportObserver } from "./imports/observe.js";
import type { AnswerHeaders } from "./imports/routes.js";
import type { OrganizationChanges, OrganizationSettings } from "./organizations/configure-organization.js";
import type { DeleteMemberData } from "./organizations/membership-changes.js";
import type { VerifyCode } from "./organizations/second-factor.js";
import type { SecretKeySource } from "./organizations/secrets.js";
import type { OrganizationSetting } from "./organizations/setting.js";
import type { FindRemoved } from "./records/removed-records.js";
import type { Reads } from "./operations/serializers.js";
import type { Job } from "./scheduling/jobs.js";
import type { Section } from "./stored-tables/section.js";
import type { Tracing } from "./telemetry/tracer.js";
import type { Check } from "./verify/check.js";

/**
 * A part of the service beyond the specification. A feature is one folder in features/ and one line in features.ts.
 * The core never imports a feature: the members below are all that a feature can add to it.
 */
export interface Feature {
  readonly name: string;
  /** Names of the features whose code it imports. They come before it in the list. */
  readonly requires?: readonly string[];

  // Configuration
  /** Environment variables. */
  readonly environment?: Environment;
  /** Rows of the table of organization settings. */
  readonly organizationSettings?: readonly OrganizationSetting[];

  // Command line
  /** Commands by name. "import undo" is a subcommand of `gatehouse import`. */
  readonly commands?: Readonly<Record<string, LoadCommand>>;
  /** Additions to commands of the core. */
  readonly commandAdditions?: CommandAdditions;

  // Stored data
  /** Tables with an organization's data, for exports and `gatehouse verify`. */
  readonly storedTables?: () => Promise<readonly Section[]>;
  /** Checks of `gatehouse verify`. */
  readonly verifyChecks?: () => Promise<readonly Check[]>;
  /** Checks the migrated database and tells the operator what to change. */
  readonly checkDatabase?: DatabaseCheck;
  readonly deleteMemberData?: DeleteMemberData;
  /** Finds records that this feature has deleted. */
  readonly findRemoved?: FindRemoved;

  // Requests
  /** Stores a line for each request, in the statement that counts key usage. At most one feature observes requests. */
  readonly observeRequests?: (config: Config) => RequestObserver | undefined;
  /** Adds to the transaction of every import, once the outcomes are known. */
  readonly afterImport?: (config: Config) => ImportObserver;

  // The running service
  /** Starts tracing. Undefined: the configuration names no collector. */
  readonly openTracing?: (
    config: Config,
    version: string,
    log: FastifyBaseLogger,
  ) => Promise<Tracing | undefined>;
  /** Adds the feature to an app that is being built. */
  readonly register?: (context: FeatureContext) => Promise<RegisteredFeature> | RegisteredFeature;
  /** Called once the service listens. The result is part of the start announcement. */
  readonly onStart?: (context: StartContext) => Promise<FirstOrganization | undefined>;
}

/** What a feature can use of the app that it is added to. `app` has the metrics, the rate limiter and the instance. */
export interface FeatureContext {
  readonly app: FastifyInstance;
  readonly config: Config;
  readonly database: Database;
  readonly limits: Record<OperationName, RateLimit>;
  readonly secretKey: SecretKeySource;
  /** For the reads of public operations. */
  readonly reads: Reads;
  readonly imports: ImportService;
  readonly admission: ImportAdmission;
  /** All features of the app. */
  readonly features: readonly Feature[];
  /** Whether a feature stores the requests. */
  readonly isRequestLogKept: boolean;
  /** Registers the export of a list. All exports share the same limits. */
  readonly defineExport: DefineExport;
  readonly failedDatabaseRestarts: () => number;
  /** What all features report about the health of this instance. */
  readonly describeHealth: () => Partial<ServiceHealth>;
}

/** What a feature adds to one app. */
export interface RegisteredFeature {
  readonly routes?: FastifyPluginAsync;
  /** Operations of the console's interface, by defineConsoleOperation. */
  readonly consoleOperations?: FastifyPluginAsync;
  /** Checks codes of second factors. Without it, accounts that have one cannot sign in. */
  readonly verifyCode?: VerifyCode;
  /** Shown on the sign-in page. */
  readonly signInProvider?: { readonly name: string } | undefined;
  /** Headers of the answer to an import that was stored. */
  readonly importHeaders?: AnswerHeaders;
  /** Fields that the console shows for an import. */
  readonly describeRun?: DescribeRun;
  /** Fields that operators see of the health of this instance. */
  readonly describeHealth?: () => Partial<ServiceHealth>;
  /** Work that every instance repeats. */
  readonly jobs?: readonly Job[];
  /** Called when the service is ready. */
  readonly start?: () => void;
  readonly close?: () => Promise<void>;
}

export interface StartContext {
  readonly config: Config;
  readonly database: Database;
  readonly isEmbedded: boolean;
  readonly actor: string;
  readonly log: Pick<FastifyBaseLogger, "warn">;
  readonly features: readonly Feature[];
}

/** A sample organization. Its key is not shown again. */
export interface FirstOrganization {
  readonly organizationUuid: string;
  readonly locationUuid: string;
  readonly key: string;
}

export interface CommandContext {
  readonly features: readonly Feature[];
}

/** Loads the code of a command only when it is needed. */
export type LoadCommand = (context: CommandContext) => Command | Promise<Command>;

export interface CommandAdditions {
  readonly verify?: () => Promise<VerifyAddition>;
  readonly showOrganization?: () => Promise<ShowOrganizationAddition>;
  readonly configureOrganization?: () => Promise<ConfigureOrganizationAddition>;
}

/** An option of `gatehouse verify` that replaces the checks of all data. */
export interface VerifyAddition {
  readonly option: Option;
  readonly example: string;
  readonly run: (value: string, options: { json?: boolean }) => Promise<void>;
}

/** Facts that `gatehouse organization show` prints after the organization itself. */
export interface ShowOrganizationAddition {
  readonly option: Option;
  readonly example: string;
  readonly read: (
    pool: pg.Pool,
    settings: OrganizationSettings,
    options: Record<string, unknown>,
  ) => Promise<Facts>;
  /** The facts as text. */
  readonly describe: (facts: Facts) => string;
}

export type Facts = Record<string, unknown>;

/** Checks changes of settings before `gatehouse organization configure` saves them. */
export interface ConfigureOrganizationAddition {
  readonly options: readonly Option[];
  /** Returns the changes to save. Features are called in order, each with the result of the one before. */
  readonly check: (
    pool: pg.Pool,
    config: Config,
    changes: OrganizationChanges,
    options: Record<string, unknown>,
  ) => Promise<OrganizationChanges>;
}
