import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll } from "vitest";

/**
 * A local server with the siteverify protocol of the three providers: it accepts a form post, rejects a wrong secret,
 * an unknown token and a used token, and returns hostname and score of a valid one.
 */
export interface CaptchaServer {
  readonly url: string;
  readonly secret: string;
  /** Form fields of the received requests, oldest first. */
  readonly requests: Record<string, string>[];
  /** Creates a token that can be used once. `extra` is added to the answer. */
  issue(extra?: Record<string, unknown>): string;
  /** Overrides the answer to every request, until `behave()` is called without an argument. */
  behave(misbehaviour?: Misbehaviour): void;
}

export type Misbehaviour = (request: IncomingMessage, response: ServerResponse) => void;

export function useCaptchaServer(): CaptchaServer {
  const secret = "provider-secret";
  const requests: Record<string, string>[] = [];
  const tokens = new Map<string, Record<string, unknown> | "used">();
  let misbehaviour: Misbehaviour | undefined;
  let issued = 0;
  let url = "";

  const server = createServer((request, response) => {
    void answer(request, response);
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const form = await readForm(request);
    requests.push(form);
    if (misbehaviour) misbehaviour(request, response);
    else sendJson(response, judge(request, form));
  }

  function judge(request: IncomingMessage, form: Record<string, string>): unknown {
    const isForm = request.headers["content-type"]?.startsWith("application/x-www-form-urlencoded");
    if (request.method !== "POST" || !isForm) return refuse("bad-request");
    if (form["secret"] !== secret) return refuse("invalid-input-secret");
    const token = tokens.get(form["response"] ?? "");
    if (!token) return refuse("invalid-input-response");
    if (token === "used") return refuse("timeout-or-duplicate");
    tokens.set(form["response"] as string, "used");
    return { success: true, challenge_ts: "2026-04-01T14:30:00Z", hostname: "www.example.com", ...token };
  }

  beforeAll(async () => {
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/siteverify`;
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => void server.close(resolve));
  });

  return {
    get url() {
      return url;
    },
    secret,
    requests,
    issue(extra = {}) {
      issued += 1;
      const token = `token-${issued}`;
      tokens.set(token, extra);
      return token;
    },
    behave: (next) => void (misbehaviour = next),
  };
}

function refuse(code: string): object {
  return { success: false, "error-codes": [code] };
}

export function sendJson(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
}

async function readForm(request: IncomingMessage): Promise<Record<string, string>> {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) text += chunk as string;
  return Object.fromEntries(new URLSearchParams(text));
}
