import {
  errorHeader,
  importPages,
  type ErrorName,
  type ImportRun,
  type OperationName,
} from "@gatehouse-parking/contract";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { readText } from "../json/read-body.js";
import { jsonBytes } from "../operations/body.js";
import { defineOperation } from "../operations/define-operation.js";
import { Refused } from "../refusals/refused.js";
import { readPageRequest } from "../operations/paging.js";
import type { Reads } from "../operations/serializers.js";
import { commitsInTwoPhases, type AcknowledgedRuns } from "./acknowledged-runs.js";
import { CommitOutcomeUnknown } from "./commit-outcome.js";
import { getImportRun, listImportRuns } from "./history.js";
import type { ImportAdmission } from "./import-admission.js";
import { importBatch, type ImportService } from "./import-batch.js";
import { settingsLoader } from "../organizations/settings.js";
import { readEnvelope } from "./read/envelope.js";
import { resources, type ResourceDefinition } from "./resources.js";

const envelopeErrors: readonly ErrorName[] = [
  "quotaExceeded",
  "bodyMalformed",
  "envelopeInvalid",
  "batchEmpty",
  "tooManyRecords",
];
const envelopeShapes = {
  400: { "application/json": "EmptyBatchError", "application/problem+json": "ProblemDetails" },
  413: { "application/json": "BatchTooLargeError" },
};

/** Headers that a feature adds to the answer of an import, unless its commit outcome is unknown. */
export interface AnswerHeaders {
  /** OpenAPI descriptions by header name. */
  readonly described: Readonly<Record<string, object>>;
  readonly headersOf: (organizationId: string, run: ImportRun) => Promise<Record<string, string>>;
}

export async function importRoutes(
  app: FastifyInstance,
  {
    imports,
    admission,
    acknowledged,
    added,
  }: {
    imports: ImportService;
    admission: ImportAdmission;
    acknowledged: AcknowledgedRuns;
    added: readonly AnswerHeaders[];
  },
): Promise<void> {
  app.addHook("preParsing", async (request, reply) => {
    if (request.method === "POST") admission.admit(request.caller.organizationId, reply);
  });

  const toRules = settingsLoader("imports");
  for (const resource of resources) {
    defineBatch(app, resource.importOperation, resource, {
      description: `Stores a batch of up to ${resource.maxRecords} ${resource.name}. Every record gets an outcome, in input order. A record whose ${resource.keyField} is stored already is skipped, so a batch can always be sent again.`,
      answer: "ImportRun",
      answered: (run) => run,
      answerHeaders: Object.assign({}, ...added.map(({ described }) => described)) as Record<string, object>,
      validateOnly: false,
    });
    defineBatch(app, resource.validateOperation, resource, {
      description: `Answers what importing the batch of ${resource.name} would answer, and stores nothing. An addition of Gatehouse to the published interface.`,
      answer: "ValidationReport",
      answered: ({ referenceUuid: _none, ...rest }) => rest,
      validateOnly: true,
    });
  }

  function defineBatch(
    scope: FastifyInstance,
    operation: OperationName,
    resource: ResourceDefinition,
    options: {
      description: string;
      answer: string;
      answered: (run: ImportRun) => unknown;
      answerHeaders?: Record<string, object>;
      validateOnly: boolean;
    },
  ): void {
    defineOperation(scope, operation, {
      description: options.description,
      body: `${resource.entity.schema.$id}Batch`,
      answer: options.answer,
      errors: envelopeErrors,
      answerHeaders: options.answerHeaders,
      errorShapes: { ...envelopeShapes, 500: { "application/json": options.answer } },
      handler: async (request: FastifyRequest, reply: FastifyReply) => {
        const { validateOnly } = options;
        const { organizationId, apiKeyId } = request.caller;
        const end = await admission.begin(organizationId, request);
        const { run, fatal, error } = await importBatch(imports, {
          resource,
          organizationId,
          apiKeyId,
          requestId: request.id,
          findRecords: async () => readEnvelope(takeText(request), resource),
          validateOnly,
          rules: toRules(request.caller.organization),
          confirmation: request.keyConfirmation.statement,
        }).finally(end);
        if (!validateOnly) {
          request.referenceUuid = run.referenceUuid;
          acknowledged.remember(organizationId, run.referenceUuid);
        }
        if (fatal) void reply.code(500).header(errorHeader, "internal");
        // Receipts must not sign a run as failed that may be stored.
        const isAcknowledged = !validateOnly && !(error instanceof CommitOutcomeUnknown);
        if (isAcknowledged)
          for (const { headersOf } of added) void reply.headers(await headersOf(organizationId, run));
        return reply.send(options.answered(run));
      },
    });
  }
}

/** Drops the bytes, so that the body is not in memory twice until the answer. */
function takeText(request: FastifyRequest): string {
  const text = readText(jsonBytes(request));
  request.body = undefined;
  return text;
}

export async function importHistoryRoutes(
  app: FastifyInstance,
  { reads, acknowledged }: { reads: Reads; acknowledged: AcknowledgedRuns },
): Promise<void> {
  defineOperation(app, "listImports", {
    description: "Lists the organization's import runs of all three resources, the most recent first.",
    query: {
      page: {
        type: "integer",
        default: 1,
        minimum: 1,
        description: "The page number from 1. Below 1: the first page. After the end: a page without data.",
      },
      pageSize: {
        type: "integer",
        default: importPages.defaultPageSize,
        minimum: 1,
        maximum: importPages.maxPageSize,
        description: "The page size. A value out of range becomes the nearest allowed size.",
      },
    },
    answer: "ImportRunPage",
    handler: async (request) => {
      const { organizationId } = request.caller;
      const page = readPageRequest(request.query as Record<string, unknown>, importPages);
      return reads.run(organizationId, () => listImportRuns(reads.pool, { organizationId, page }));
    },
  });

  defineOperation(app, "getImport", {
    description:
      "Returns a run as it was answered when it was submitted, with all created and skipped records and the first 100 failures.",
    params: { referenceUuid: { type: "string", description: "The referenceUuid of the run." } },
    answer: "ImportRun",
    errors: ["notFound", "runNotReadable"],
    handler: async (request) => {
      const { referenceUuid } = request.params as { referenceUuid: string };
      const { organizationId } = request.caller;
      const stored = await reads.run(organizationId, () =>
        getImportRun(reads.pool, organizationId, referenceUuid),
      );
      if (stored) return stored.run;
      // Without two-phase commits, an acknowledged run that is missing was deleted.
      const mayExist =
        acknowledged.has(organizationId, referenceUuid) &&
        (await reads.run(organizationId, () => commitsInTwoPhases(reads.pool)));
      throw new Refused(mayExist ? "runNotReadable" : "notFound");
    },
  });
}
