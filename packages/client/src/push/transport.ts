import { readFile } from "node:fs/promises";
import * as http from "node:http";
import * as https from "node:https";
import type { Duplex } from "node:stream";
import { rootCertificates } from "node:tls";
import { keepsKeySecret, loopbackHosts } from "../client.js";
import type { Fetch } from "../request.js";

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

/** Variables that name a proxy for HTTPS, and addresses that are reached without it; both spellings are usual. */
const proxyVariables = ["HTTPS_PROXY", "https_proxy"];
const exceptionVariables = ["NO_PROXY", "no_proxy"];

/** The proxy on the way to an address; undefined if there is none. */
export function proxyFor(address: URL, environment: NodeJS.ProcessEnv): URL | undefined {
  const text = valueOf(proxyVariables, environment);
  // A proxy's own loopback is another machine's.
  if (text === undefined || address.protocol !== "https:" || loopbackHosts.has(address.hostname))
    return undefined;
  if (isExcepted(address, valueOf(exceptionVariables, environment) ?? "")) return undefined;
  const proxy = URL.canParse(text) ? new URL(text) : undefined;
  if (proxy?.protocol !== "http:" && proxy?.protocol !== "https:")
    throw new Error(`HTTPS_PROXY must be an address such as http://proxy.example.com:3128, not "${text}"`);
  return proxy;
}

function valueOf(names: readonly string[], environment: NodeJS.ProcessEnv): string | undefined {
  return names.map((name) => environment[name]?.trim()).find((value) => value !== undefined && value !== "");
}

/** NO_PROXY lists hosts, each with the hosts below it; a port may follow. */
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

/** An agent whose connections go through the proxy: TLS is spoken with the service, and the proxy sees only its name. */
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
    // Whom it does not know or let through, it will not in a minute either; when it is in trouble, it may.
    done(Object.assign(refusal, (answer.statusCode ?? 0) < 500 ? { code: "ERR_PROXY_REFUSED" } : {}));
  });
  request.on("timeout", () => request.destroy(new Error("it does not answer")));
  request.on("error", (error) =>
    done(new Error(`the proxy ${proxy.host} could not be reached: ${error.message}`)),
  );
  request.end();
}
