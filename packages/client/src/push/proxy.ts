import * as http from "node:http";
import * as https from "node:https";
import type { Duplex } from "node:stream";

/** Variables that name a proxy for HTTPS, and addresses that are reached without it; both spellings are usual. */
const proxyVariables = ["HTTPS_PROXY", "https_proxy"];
const exceptionVariables = ["NO_PROXY", "no_proxy"];
const loopbackHosts = new Set(["localhost", "127.0.0.1", "[::1]"]);

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
export function tunnelAgent(proxy: URL, options: https.AgentOptions): https.Agent {
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
