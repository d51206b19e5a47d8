import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Refused } from "../../refusals/refused.js";
import { secureOrLocal } from "../../server/https-only.js";
import { staticFiles } from "../../server/static-files.js";

export interface PagesOptions {
  /** The built web application. */
  directory?: string;
}

/** Beside the package, and beside the service in a checkout. The relative path is the same from src and from dist. */
const packagedConsole = fileURLToPath(new URL("../../../../console", import.meta.url));
const consoleOfCheckout = fileURLToPath(new URL("../../../../../console/dist", import.meta.url));

/**
 * Only our own files run, style the page or are requested. Even inline style elements are forbidden: the web
 * application does not need them, and its browser tests fail if one is blocked.
 */
export const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join("; ");

/** Paths of the interfaces: an unknown one is an error for programs, not a page. */
const programPaths = /^\/(integrations|lead|console\/api|docs|openapi\.json|metrics|livez|readyz)(\/|$)/i;
/** The build puts a digest of the content into these names, so they never change. */
const hashedFile = /^\/assets\/[^/]*-[\w-]{8}\.\w+$/;
const yearSeconds = 31_536_000;

/**
 * The files of the web application. Every other path without a dot is one of its pages and gets index.html,
 * because the application does its own routing.
 */
export async function pages(app: FastifyInstance, options: PagesOptions): Promise<void> {
  const files = await staticFiles(options.directory ?? builtConsole());

  app.get(
    "/*",
    { config: { access: "public", quiet: true }, schema: { hide: true } },
    async (request, reply) => {
      const path = (request.raw.url ?? "/").split("?")[0] as string;
      if (programPaths.test(path)) return reply.callNotFound();
      const isFile = path.includes(".");
      if (!isFile && path !== "/" && !wantsPage(request)) return reply.callNotFound();
      await secureOrLocal(request);
      return isFile ? sendFile(request, reply, path) : sendIndex(request, reply);
    },
  );

  async function sendFile(request: FastifyRequest, reply: FastifyReply, path: string): Promise<FastifyReply> {
    const isHashed = hashedFile.test(path);
    void reply.headers({
      "cache-control": isHashed ? `public, max-age=${yearSeconds}, immutable` : "no-cache",
      "content-security-policy": pagePolicy,
    });
    const isSent = await files.send(request, reply, decodePath(path));
    return isSent ? reply : (reply.callNotFound() as unknown as FastifyReply);
  }

  async function sendIndex(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    void reply.headers({ "cache-control": "no-cache", "content-security-policy": pagePolicy });
    if (await files.send(request, reply, "index.html")) return reply;
    throw new Refused("notFound", {
      details: ["The console is not built. Run `npm run build` and start the service again"],
    });
  }
}

function builtConsole(): string {
  return existsSync(join(packagedConsole, "index.html")) ? packagedConsole : consoleOfCheckout;
}

/** Browsers request text/html when they open an address. Programs that mistype one get the usual 404. */
function wantsPage(request: FastifyRequest): boolean {
  return (request.headers.accept ?? "").includes("text/html");
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return "/absent";
  }
}
