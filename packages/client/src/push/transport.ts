import { readFile } from "node:fs/promises";
import * as http from "node:http";
import * as https from "node:https";
import { Readable, type Duplex } from "node:stream";
import { rootCertificates } from "node:tls";
import { isSafeForKey, loopbackHosts } from "../client.js";
import type { Fetch } from "../request.js";

/**
 * fetch on top of Node's HTTPS, because the runtime's fetch cannot trust a private certificate authority.
 * Connections are kept alive.
 */
export interface Transport {
  fetch: Fetch;
  close(): void;
}

/** Plain HTTP is rejected, because it would expose the key. */
export function readUrl(text: string): string {
  if (!URL.canParse(text) || !isSafeForKey(new URL(text)))
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
    throw new Error(`Cannot read the --ca file: ${error.message}`, { cause: error });
  });
  if (!text.includes("-----BEGIN CERTIFICATE-----"))
    throw new Error(`The --ca file must contain a certificate in PEM format: ${file}`);
  return text;
}

function exchange(
  protocol: typeof http | typeof https,
  agent: http.Agent,
  url: string,
  init: RequestInit,
): Promise<Response> {
  const body =
    typeof init.body === "string" || init.body instanceof Uint8Array ? Buffer.from(init.body) : undefined;
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
      (answer) => resolve(toResponse(answer)),
    );
    request.on("error", reject);
    request.end(body);
  });
}

/** The body is read as it arrives: a file of failed rows can be large. */
function toResponse(answer: http.IncomingMessage): Response {
  const headers = new Headers();
  for (const [name, value] of Object.entries(answer.headers)) {
    for (const one of [value ?? []].flat()) headers.append(name, one);
  }
  const status = answer.statusCode as number;
  const hasBody = status !== 204 && status !== 304;
  if (!hasBody) answer.resume();
  return new Response(hasBody ? (Readable.toWeb(answer) as ReadableStream<Uint8Array>) : null, {
    status,
    headers,
  });
}

/** The variables for the HTTPS proxy and its exceptions; both spellings are common. */
const proxyVariables = ["HTTPS_PROXY", "https_proxy"];
const exceptionVariables = ["NO_PROXY", "no_proxy"];

/** The proxy for an address; undefined for a direct connection. */
export function proxyFor(address: URL, environment: NodeJS.ProcessEnv): URL | undefined {
  const text = valueOf(proxyVariables, environment);
  // Loopback on the proxy would be a different machine.
  if (text === undefined || address.protocol !== "https:" || loopbackHosts.has(address.hostname))
    return undefined;
  if (isExcepted(address, valueOf(exceptionVariables, environment) ?? "")) return undefined;
  const proxy = URL.canParse(text) ? new URL(text) : undefined;
  if (proxy?.protocol !== "http:" && proxy?.protocol !== "https:")
    throw new Error(`HTTPS_PROXY must be a URL such as http://proxy.example.com:3128, not "${text}"`);
  return proxy;
}

function valueOf(names: readonly string[], environment: NodeJS.ProcessEnv): string | undefined {
  return names.map((name) => environment[name]?.trim()).find((value) => value !== undefined && value !== "");
}

/** NO_PROXY lists hosts, which include their subdomains; a port may follow. */
function isExcepted({ hostname, port }: URL, list: string): boolean {
  return list
    .split(",")
    .map((entry) => entry.trim().toLowerCase())
    .some((entry) => {
      if (entry === "*") return true;
      const [host = "", wantedPort] = entry.split(":");
      const name = host.startsWith("*.") ? host.slice(2) : host.replace(/^\./, "");
      if (name === "" || (wantedPort !== undefined && wantedPort !== (port || "443"))) return false;
      return hostname === name || hostname.endsWith(`.${name}`);
    });
}

const connectTimeoutMs = 30_000;

/** An agent that tunnels through the proxy. TLS is end to end; the proxy sees only the host name. */
function tunnelAgent(proxy: URL, options: https.AgentOptions): https.Agent {
  const agent = new https.Agent(options);
  const connectDirectly = agent.createConnection.bind(agent) as (tls: https.RequestOptions) => Duplex;
  const connectThrough = (
    target: https.RequestOptions,
    done: (error: Error | null, connection?: Duplex) => void,
  ) =>
    openTunnel(proxy, `${target.host}:${target.port}`, (error, socket) =>
      error ? done(error) : done(null, connectDirectly({ ...target, socket } as https.RequestOptions)),
    );
  agent.createConnection = connectThrough as typeof agent.createConnection;
  return agent;
}

function openTunnel(proxy: URL, target: string, done: (error: Error | null, socket?: Duplex) => void): void {
  const { username, password } = proxy;
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const authorization = username === "" ? {} : { "proxy-authorization": `Basic ${btoa(credentials)}` };
  const request = (proxy.protocol === "https:" ? https : http).request({
    host: proxy.hostname.replaceAll(/[[\]]/g, ""),
    port: proxy.port || (proxy.protocol === "https:" ? 443 : 80),
    method: "CONNECT",
    path: target,
    headers: { host: target, ...authorization },
    timeout: connectTimeoutMs,
  });
  request.on("connect", (answer, socket: Duplex) => {
    if (answer.statusCode === 200) {
      done(null, socket);
      return;
    }
    socket.destroy();
    const refusal = new Error(`the proxy ${proxy.host} answered with status ${answer.statusCode}`);
    // A status below 500 is permanent; a 5xx may be temporary.
    done(Object.assign(refusal, (answer.statusCode ?? 0) < 500 ? { code: "ERR_PROXY_REFUSED" } : {}));
  });
  request.on("timeout", () => request.destroy(new Error("no response")));
  request.on("error", (error) =>
    done(new Error(`the proxy ${proxy.host} could not be reached: ${error.message}`)),
  );
  request.end();
}
