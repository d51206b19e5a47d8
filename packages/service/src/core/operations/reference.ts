import swagger from "@fastify/swagger";
import * as contract from "@gatehouse-parking/contract";
import type { FastifyInstance } from "fastify";
import fastifyPlugin from "fastify-plugin";
import { sendInChunks } from "../server/static-files.js";
import { documentation, type DocumentationOptions } from "./documentation.js";
import { completeDocument } from "./openapi-document.js";
import type { ReferenceDocument } from "./reference-pages/operations-page.js";

export interface ReferenceOptions {
  config: DocumentationOptions["config"];
}

/** Serves OpenAPI 3.1, generated from the routes' schemas, at /openapi.json, and pages to read and try it at /docs. */
export const reference = fastifyPlugin<ReferenceOptions>(async (app: FastifyInstance, { config }) => {
  const { publicUrl } = config;
  for (const schema of contractSchemas()) app.addSchema(schema);

  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "Gatehouse",
        version: "1.0",
        description:
          "Batch import of parking transactions, accounts and subscriptions, and lead submission. Every record gets an outcome, in order, in the same answer; sending a record again is always safe.",
        license: { name: "Apache-2.0", identifier: "Apache-2.0" },
      },
      servers: [
        ...(publicUrl === undefined ? [] : [{ url: publicUrl, description: "The public address" }]),
        { url: "/", description: "This service" },
      ],
      tags: [
        { name: "Integrations", description: "For partners' back ends." },
        { name: "Leads", description: "For web sites." },
        { name: "Extensions", description: "Additions of Gatehouse to the published interface." },
      ],
      security: [{ apiKey: [] }],
      components: { securitySchemes: { apiKey: { type: "apiKey", name: "X-API-KEY", in: "header" } } },
    },
    transformObject: (document) => {
      if (!("openapiObject" in document)) return document.swaggerObject;
      completeDocument(document.openapiObject);
      return document.openapiObject;
    },
    refResolver: {
      buildLocalReference: (json, _baseUri, _fragment, index) =>
        (json.$id as string | undefined) ?? `def-${index}`,
    },
  });

  let made: Buffer | undefined;
  // Generated once: the document does not change, and anyone may request it.
  const text = (): Buffer => (made ??= Buffer.from(JSON.stringify(app.swagger())));
  app.get(
    "/openapi.json",
    { config: { access: "public", quiet: true }, schema: { hide: true } },
    async (_request, reply) => sendInChunks(reply.type("application/json"), text()),
  );

  const document = () => app.swagger() as unknown as ReferenceDocument;
  await app.register(documentation, { document, config });
});

/** Every named schema, sorted by name. */
function contractSchemas(): { $id: string }[] {
  const exported: unknown[] = [...Object.values(contract), ...contract.batches];
  return exported.filter(hasName).toSorted((one, other) => (one.$id < other.$id ? -1 : 1));
}

function hasName(value: unknown): value is { $id: string } {
  return typeof value === "object" && value !== null && "$id" in value;
}
