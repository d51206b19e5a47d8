import { readFile } from "node:fs/promises";
import * as http from "node:http";
import * as https from "node:https";
import { rootCertificates } from "node:tls";
import { keepsKeySecret } from "../client.js";
import type { Fetch } from "../request.js";
import { tunnelAgent } from "./proxy.js";

/**
 * fetch for the command line, on Node's own HTTPS: the runtime's fetch cannot be told to trust a certificate authority
 * of one's own. Connections are kept, so a push makes one handshake.
 */
export interface Transport {
  fetch: Fetch;
  close(): void;
}

/** The service's address, or an error: over plain HTTP the key would be readable on the way. */
export function readUrl(text: string): string {
  if (!URL.canParse(text) || !keepsKeySecret(new URL(text)))
    throw new Error(`--url must be an https:// address, not "${text}"`);
  return text;
}

export async function openTransport(options: {
  caFile: string | undefined;
  proxy?: URL | undefined;
}): Promise<Transport> {
  const ca = options.caFile && [...rootCertificates, await readAuthority(options.caFile)];
  const agentOptions = { keepAlive: true, ...(ca ? { ca } : {}) };
  const secure = options.proxy ? tunnelAgent(options.proxy, agentOptions) : new https.Agent(agentOptions);
  const plain = new http.Agent({ keepAlive: true });
  return {
    fetch: (url, init) =>
      url.startsWith("https:") ? exchange(https, secure, url, init) : exchange(http, plain, url, init),
    close() {
      secure.destroy();
      plain.destroy();
    },
  };
}

async function readAuthority(file: string): Promise<string> {
  const text = await readFile(file, "utf8").catch((error: Error) => {
    throw new Error(`The file of --ca cannot be read: ${error.message}`, { cause: error });
  });
  if (!text.includes("-----BEGIN CERTIFICATE-----"))
    throw new Error(`The file of --ca must hold a certificate in PEM form: ${file}`);
  return text;
}

function exchange(
  protocol: typeof http | typeof https,
  agent: http.Agent,
  url: string,
  init: RequestInit,
): Promise<Response> {
  const body = typeof init.body === "string" ? Buffer.from(init.body) : undefined;
  return new Promise((resolve, reject) => {
    const request = protocol.request(
      url,
      {
        agent,
        method: init.method ?? "GET",
        headers: {
          ...(init.headers as Record<string, string>),
          ...(body ? { "content-length": String(body.length) } : {}),
        },
        ...(init.signal ? { signal: init.signal } : {}),
      },
      (answer) => {
        readAnswer(answer).then(resolve, reject);
      },
    );
    request.on("error", reject);
    request.end(body);
  });
}

async function readAnswer(answer: http.IncomingMessage): Promise<Response> {
  const chunks: Buffer[] = [];
  for await (const chunk of answer as AsyncIterable<Buffer>) chunks.push(chunk);
  const headers = new Headers();
  for (const [name, value] of Object.entries(answer.headers)) {
    for (const one of [value ?? []].flat()) headers.append(name, one);
  }
  return new Response(chunks.length === 0 ? null : Buffer.concat(chunks), {
    status: answer.statusCode as number,
    headers,
  });
}
