import { fileURLToPath } from "node:url";
import type { FastifyInstance } from "fastify";
import { Refused } from "../refusals/refused.js";
import { secureAddress, type AddressSettings } from "../server/service-address.js";
import { isSecure, secureOrLocal } from "../server/https-only.js";
import { ownAuthorityFile, type CertificateChoice } from "../server/tls/choose-certificate.js";
import { sendInChunks, staticFiles } from "../server/static-files.js";
import { guideAddress, guides, renderGuide, type Guide } from "./reference-pages/guides.js";
import { layOut } from "./reference-pages/layout.js";
import {
  operationsByTag,
  operationsPage,
  type KeysElsewhere,
  type ReferenceDocument,
} from "./reference-pages/operations-page.js";

/** Style and script of the pages. The path is the same from src and from dist. */
const fileFolder = fileURLToPath(new URL("../../../pages", import.meta.url));

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const referenceAddress = "/docs";

export interface DocumentationOptions {
  document: () => ReferenceDocument;
  config: AddressSettings & CertificateChoice & { allowPlainHttp: boolean };
}

/** The API reference with examples that can be sent, and the guides. The pages load nothing from other servers. */
export async function documentation(
  app: FastifyInstance,
  { document, config }: DocumentationOptions,
): Promise<void> {
  const files = await staticFiles(fileFolder);
  const options = { config: { access: "public", quiet: true }, schema: { hide: true } } as const;
  app.addHook("onRequest", secureOrLocal);

  function servePage(address: string, title: string, content: (takesKeys: boolean) => Promise<string>): void {
    // Rendered once per port and cached: the page does not change, and anyone may request it.
    const rendered = new Map<boolean, Buffer>();
    app.get(address, options, async (request, reply) => {
      const takesKeys = isSecure(request) || config.allowPlainHttp;
      let page = rendered.get(takesKeys);
      if (page === undefined) {
        const parts = { title, address, navigation: navigation(document()) };
        page = Buffer.from(layOut({ ...parts, content: await content(takesKeys) }));
        rendered.set(takesKeys, page);
      }
      void reply.headers({ "content-security-policy": policy, "cache-control": "no-cache" });
      return sendInChunks(reply.type("text/html; charset=utf-8"), page);
    });
  }

  servePage(referenceAddress, "API reference", async (takesKeys) =>
    operationsPage(document(), takesKeys ? undefined : keysElsewhere()),
  );
  for (const guide of guides) servePage(guideAddress(guide.name), guide.title, () => contentOf(guide));
  app.get("/docs/static/*", options, async (request, reply) => {
    const name = (request.params as Record<string, string>)["*"] as string;
    if (await files.send(request, reply, name)) return reply;
    throw new Refused("notFound");
  });

  /**
   * The plain port rejects API requests, so its page shows the HTTPS address. The page is visible only on this
   * machine.
   */
  function keysElsewhere(): KeysElsewhere {
    const address = secureAddress(config, app.ports);
    return { address, caFile: config.publicUrl === undefined ? ownAuthorityFile(config) : undefined };
  }
}

/** Without the packed documents, the service still has its reference. */
async function contentOf(guide: Guide): Promise<string> {
  const content = await renderGuide(guide);
  if (content === undefined) throw new Refused("notFound");
  return content;
}

function navigation(document: ReferenceDocument) {
  return [
    {
      heading: "Guides",
      links: guides.map(({ name, title }) => ({ address: guideAddress(name), title })),
    },
    { heading: "Reference", links: [{ address: referenceAddress, title: "All operations" }] },
    ...operationsByTag(document).map(({ name, operations }) => ({
      heading: name,
      links: operations.map(({ operationId, summary }) => ({
        address: `${referenceAddress}#${operationId}`,
        title: summary,
      })),
    })),
  ];
}
