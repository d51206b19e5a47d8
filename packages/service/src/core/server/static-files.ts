import { createHash } from "node:crypto";
import { readdir, readFile, stat } from "node:fs/promises";
import { extname, join } from "node:path";
import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { acceptedEncodings } from "./compression.js";

/** Far more than the service's pages need. Beyond it the cache is emptied. */
const maxCachedBytes = 32 * 1024 * 1024;
const chunkBytes = 64 * 1024;

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
/** The build stores compressed copies next to the files. */
const encodings = [
  { name: "br", suffix: ".br" },
  { name: "gzip", suffix: ".gz" },
];

interface CachedFile {
  modifiedAtMs: number;
  bytes: Buffer;
  entityTag: string;
}

export interface StaticFiles {
  /**
   * False: the file does not exist, and nothing was sent. (It cannot return the reply: awaiting a reply waits until it
   * is sent.)
   */
  send(request: FastifyRequest, reply: FastifyReply, path: string): Promise<boolean>;
}

/**
 * Serves the files of a folder from memory. A file streamed from the disk stays open until the client has read it, and
 * forever if the answer is abandoned without being closed.
 */
export async function staticFiles(directory: string): Promise<StaticFiles> {
  const cached = new Map<string, CachedFile>();
  let cachedBytes = 0;

  async function load(path: string): Promise<CachedFile | undefined> {
    if (path.includes("\u0000") || path.split(/[/\\]/).includes("..")) return undefined;
    const file = join(directory, path);
    const found = await stat(file).catch(() => undefined);
    if (!found?.isFile()) return undefined;
    const known = cached.get(file);
    if (known?.modifiedAtMs === found.mtimeMs) return known;

    const bytes = await readFile(file);
    const entityTag = `"${createHash("sha256").update(bytes).digest("base64url")}"`;
    const loaded = { modifiedAtMs: found.mtimeMs, bytes, entityTag };
    cachedBytes += bytes.length - (cached.get(file)?.bytes.length ?? 0);
    cached.set(file, loaded);
    if (cachedBytes > maxCachedBytes) {
      cached.clear();
      cachedBytes = 0;
    }
    return loaded;
  }

  async function loadEncoded(
    request: FastifyRequest,
    path: string,
  ): Promise<[CachedFile, string] | undefined> {
    const accepted = acceptedEncodings(request);
    for (const { name, suffix } of encodings) {
      const encoded = accepted.has(name) ? await load(path + suffix) : undefined;
      if (encoded) return [encoded, name];
    }
    const plain = await load(path);
    return plain && [plain, "identity"];
  }

  // Loaded at the start, so that they can be sent when the process is out of file descriptors.
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
      else void sendInChunks(reply.type(contentType as string), bytes);
      return true;
    },
  };
}

/**
 * Sends bytes from memory. Large answers are sent in chunks, so that a slow reader shows progress, and a client that
 * does not read holds one chunk instead of a whole copy.
 */
export function sendInChunks(reply: FastifyReply, bytes: Buffer): FastifyReply {
  void reply.header("content-length", bytes.length);
  return reply.send(bytes.length <= chunkBytes ? bytes : Readable.from(chunksOf(bytes)));
}

function* chunksOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
}
