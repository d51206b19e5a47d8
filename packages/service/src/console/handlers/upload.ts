import type { ImportRun, OperationName, RateLimit } from "@gatehouse-parking/contract";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { RequestRefused } from "../../refusals/request-refused.js";
import { renderError } from "../../refusals/render-error.js";
import { bucketName, showLimit } from "../../gate/gate.js";
import type { Intake } from "../../imports/intake.js";
import { resources, type ResourceDefinition } from "../../imports/resources.js";
import { defineConsoleOperation } from "../define-operation.js";
import { readParameters } from "../read-input.js";
import { ConsoleRefused } from "../../refusals/console-refused.js";
import { renderConsoleError } from "../../refusals/render-console-error.js";

export interface UploadParts {
  intake: Intake;
  limits: Record<OperationName, RateLimit>;
}

/**
 * Files that people drag into the console arrive here batch by batch. It is the import of the public endpoint in
 * everything but the credential: the same verb, the same limit of the organization, the same answers and refusals. A
 * run made here carries no API key; the audit log has a line with it, written in the run's own transaction.
 */
export async function uploadHandlers(app: FastifyInstance, { intake, limits }: UploadParts): Promise<void> {
  // Who may upload at all is the console's affair; everything else is answered as the public endpoint answers.
  app.setErrorHandler((thrown, request, reply) =>
    thrown instanceof ConsoleRefused
      ? renderConsoleError(thrown, request, reply)
      : renderError(thrown, request, reply),
  );

  // Before the body is read, as at the public endpoint.
  app.addHook("preParsing", async (request, reply) => {
    const resource = resourceOf(request);
    const operation = isValidation(request) ? resource.validateOperation : resource.importOperation;
    const limit = limits[operation];
    const state = await app.rateLimiter.take(bucketName(operation, request.organization.id), limit);
    showLimit(reply, state);
    if (!state.accepted) throw new RequestRefused("rateLimited");
    intake.admit(request.organization.id, reply);
  });

  defineConsoleOperation(app, "importBatch", ({ request, reply }) => upload(request, reply, (run) => run));
  defineConsoleOperation(app, "validateBatch", ({ request, reply }) =>
    upload(request, reply, ({ referenceUuid: _none, ...rest }) => rest),
  );

  async function upload(
    request: FastifyRequest,
    reply: FastifyReply,
    answered: (run: ImportRun) => object,
  ): Promise<FastifyReply> {
    const resource = resourceOf(request);
    const validateOnly = isValidation(request);
    const { run, fatal } = await intake.import(request, {
      resource,
      organizationId: request.organization.id,
      apiKeyId: undefined,
      uploader: request.person.email,
      validateOnly,
    });
    return reply.code(fatal ? 500 : 200).send(answered(run));
  }
}

function isValidation(request: FastifyRequest): boolean {
  return request.routeOptions.config.consoleOperation === "validateBatch";
}

function resourceOf(request: FastifyRequest): ResourceDefinition {
  const { resource } = readParameters(request);
  return resources.find(({ name }) => name === resource) as ResourceDefinition;
}
