import { createHash } from "node:crypto";
import { readdir, readFile, stat } from "node:fs/promises";
import { extname, join } from "node:path";
import type { FastifyReply, FastifyRequest } from "fastify";
import { acceptedEncodings } from "./accepted-encodings.js";
import { sendInPieces } from "./in-pieces.js";

/** Far more than the pages of the service have; beyond it, what was read is forgotten and read again. */
const maxKeptBytes = 32 * 1024 * 1024;

const contentTypes: Record<string, string> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".md": "text/markdown; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};
/** What the build has compressed lies beside its original. */
const encodings = [
  { name: "br", suffix: ".br" },
  { name: "gzip", suffix: ".gz" },
];

interface Kept {
  changedAtMs: number;
  bytes: Buffer;
  entityTag: string;
}

export interface StaticFiles {
  /** False: there is no such file, and nothing was sent. (A reply cannot be returned: to wait for it is to wait for its end.) */
  send(request: FastifyRequest, reply: FastifyReply, path: string): Promise<boolean>;
}

/**
 * The files of a folder of ours, from memory. None is open while it is sent: a file that is streamed stays open for as
 * long as its reader takes, and for good if the reader is lost sight of.
 */
export async function staticFiles(directory: string): Promise<StaticFiles> {
  const kept = new Map<string, Kept>();
  let keptBytes = 0;

  async function load(path: string): Promise<Kept | undefined> {
    if (path.includes("\u0000") || path.split(/[/\\]/).includes("..")) return undefined;
    const file = join(directory, path);
    const found = await stat(file).catch(() => undefined);
    if (!found?.isFile()) return undefined;
    const known = kept.get(file);
    if (known?.changedAtMs === found.mtimeMs) return known;

    const bytes = await readFile(file);
    const entityTag = `"${createHash("sha256").update(bytes).digest("base64url")}"`;
    const loaded = { changedAtMs: found.mtimeMs, bytes, entityTag };
    keptBytes += bytes.length - (kept.get(file)?.bytes.length ?? 0);
    kept.set(file, loaded);
    if (keptBytes > maxKeptBytes) {
      kept.clear();
      keptBytes = 0;
    }
    return loaded;
  }

  async function loadEncoded(request: FastifyRequest, path: string): Promise<[Kept, string] | undefined> {
    const accepted = acceptedEncodings(request);
    for (const { name, suffix } of encodings) {
      const encoded = accepted.has(name) ? await load(path + suffix) : undefined;
      if (encoded) return [encoded, name];
    }
    const plain = await load(path);
    return plain && [plain, "identity"];
  }

  // Read at the start, so that they can be sent even when no file can be opened any more.
  const names = await readdir(directory, { recursive: true }).catch(() => []);
  for (const name of names) await load(name);

  return {
    async send(request, reply, path) {
      const contentType = contentTypes[extname(path).toLowerCase()];
      const found = contentType === undefined ? undefined : await loadEncoded(request, path);
      if (!found) return false;
      const [{ bytes, entityTag }, encoding] = found;
      void reply.headers({ etag: entityTag, vary: "Accept-Encoding" });
      if (encoding !== "identity") void reply.header("content-encoding", encoding);
      if (request.headers["if-none-match"] === entityTag) void reply.code(304).send();
      else void sendInPieces(reply.type(contentType as string), bytes);
      return true;
    },
  };
}
