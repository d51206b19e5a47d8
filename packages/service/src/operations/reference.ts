import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import swagger from "@fastify/swagger";
import swaggerUi from "@fastify/swagger-ui";
import * as contract from "@gatehouse-parking/contract";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import fastifyPlugin from "fastify-plugin";
import { RequestRefused } from "../refusals/request-refused.js";
import { secureOrLocal } from "../server/https-only.js";
import { sendInPieces } from "../server/in-pieces.js";
import { completeDocument } from "./openapi-document.js";
import { staticFiles } from "../server/static-files.js";

const pageFolder = join(dirname(createRequire(import.meta.url).resolve("@fastify/swagger-ui")), "static");

export interface ReferenceOptions {
  publicUrl: string | undefined;
}

/** OpenAPI 3.1, made from the schemas the routes use, at /openapi.json; and a page to read and try it, at /docs. */
export const reference = fastifyPlugin<ReferenceOptions>(async (app: FastifyInstance, { publicUrl }) => {
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
  // Made once: it does not change, and anyone may ask for it as often as they like.
  const text = (): Buffer => (made ??= Buffer.from(JSON.stringify(app.swagger())));
  app.get(
    "/openapi.json",
    { config: { access: "public", quiet: true }, schema: { hide: true } },
    async (_request, reply) => sendInPieces(reply.type("application/json"), text()),
  );

  await app.register(async (docs) => {
    docs.addHook("onRequest", secureOrLocal);
    const files = await staticFiles(pageFolder);
    docs.addHook("onRoute", (route) => {
      route.config = { ...route.config, access: "public", quiet: true };
      // The page's own way would keep a file open until its reader has taken it.
      if (route.url === "/docs/static/*") route.handler = sendPageFile;
    });
    async function sendPageFile(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
      const name = (request.params as Record<string, string>)["*"] as string;
      if (await files.send(request, reply, name)) return reply;
      throw new RequestRefused("notFound");
    }
    await docs.register(swaggerUi, {
      routePrefix: "/docs",
      staticCSP:
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      uiConfig: {
        // Without the bar on top, which offers to load documents from elsewhere.
        layout: "BaseLayout",
        docExpansion: "list",
        deepLinking: true,
        tryItOutEnabled: true,
        validatorUrl: null,
      },
      theme: { title: "Gatehouse API reference" },
    });
  });
});

/** Every schema with a name, in the order of the names. */
function contractSchemas(): { $id: string }[] {
  const exported: unknown[] = [...Object.values(contract), ...contract.batches];
  return exported.filter(hasName).toSorted((one, other) => (one.$id < other.$id ? -1 : 1));
}

function hasName(value: unknown): value is { $id: string } {
  return typeof value === "object" && value !== null && "$id" in value;
}
