import { randomUUID } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { consoleOperations, type ConsoleOperationName } from "@gatehouse-parking/contract/console";
import { requestTo } from "./console-requests.js";
import { sampleFile } from "./sample-files.js";
import type { SampleOrganization } from "./sample-organization.js";

/** One request to each declared route, as the bytes that a client would send. */
export interface RawRequest {
  method: string;
  url: string;
  /** Adds a unique request ID, which identifies the answer. */
  bytes(options?: { requestId?: string; headers?: readonly string[] }): Buffer;
}

export interface Sender {
  target: SampleOrganization;
  cookie: string;
}

/** These would end the session or the key that the other requests use, so they are sent without a session. */
const selfDestructive: readonly ConsoleOperationName[] = [
  "signOut",
  "changePassword",
  "rotateApiKey",
  "revokeApiKey",
];

/** Values of path parameters outside the console's table. */
const files: Record<string, string[]> = {
  "/*": ["/", "/index.html", "/favicon.svg", "/absent.js"],
  "/docs/static/*": ["/docs/static/docs.js", "/docs/static/docs.css"],
};

export function everyRequest(app: FastifyInstance, sender: Sender): RawRequest[] {
  return app.declaredRoutes.flatMap((route) =>
    [route.method].flat().flatMap((method) => {
      const { consoleOperation, operation } = route.config ?? {};
      if (consoleOperation) return [consoleRequest(consoleOperation, sender)];
      const urls = files[route.url] ?? [apiUrl(route.url, sender.target)];
      return urls.map((url) => {
        const key = operation ? [`X-API-KEY: ${sender.target.apiKey}`] : [];
        const body = method === "POST" ? bodyFor(url, sender.target) : undefined;
        return request(method, url, key, body, contentTypeOf(url));
      });
    }),
  );
}

function consoleRequest(name: ConsoleOperationName, { target, cookie }: Sender): RawRequest {
  const { url, payload } = requestTo(name, target, randomUUID());
  const session = selfDestructive.includes(name) ? [] : [`Cookie: ${cookie}`];
  return request(consoleOperations[name].method, url, ["Sec-Fetch-Site: same-origin", ...session], payload);
}

export function apiUrl(path: string, target: Pick<SampleOrganization, "runUuid" | "uploadUuid">): string {
  return path.replace(":referenceUuid", target.runUuid).replace(":uploadUuid", target.uploadUuid);
}

/** A body that an API operation accepts. */
export function bodyFor(url: string, { locationUuid }: Pick<SampleOrganization, "locationUuid">): string {
  if (url.endsWith("/pieces")) return sampleFile.toString();
  if (url.endsWith("/start")) return JSON.stringify({ validateOnly: true });
  if (url.startsWith("/integrations/uploads"))
    return JSON.stringify({ fileName: "sessions.csv", size: sampleFile.length, resource: "transactions" });
  if (url === "/lead/submit") return JSON.stringify({ email: "jo@example.com", locationUuid });
  const transaction = { locationUuid, type: 1, transactionDate: "2026-04-01T14:30:00.000Z" };
  return JSON.stringify({
    transactions: [{ ...transaction, transactionId: randomUUID() }],
    accounts: [{ tpReferenceId: randomUUID(), name: "Acme" }],
    subscriptions: [{ tpReferenceId: randomUUID(), accountTPReferenceId: "A-1" }],
  });
}

export function contentTypeOf(url: string): string {
  return url.endsWith("/pieces") ? "application/octet-stream" : "application/json";
}

function request(
  method: string,
  url: string,
  own: readonly string[],
  body?: string,
  contentType = "application/json",
): RawRequest {
  return {
    method,
    url,
    bytes: ({ requestId = randomUUID(), headers = [] } = {}) => {
      const content =
        body === undefined
          ? []
          : [`Content-Type: ${contentType}`, `Content-Length: ${Buffer.byteLength(body)}`];
      const lines = [
        `${method} ${url} HTTP/1.1`,
        "Host: localhost",
        // As behind a TLS proxy. Over TLS the header has no effect.
        "X-Forwarded-Proto: https",
        `X-Request-Id: ${requestId}`,
        ...own,
        ...content,
        ...headers,
      ];
      return Buffer.from(`${lines.join("\r\n")}\r\n\r\n${body ?? ""}`);
    },
  };
}
