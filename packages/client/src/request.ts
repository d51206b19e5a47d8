import type { OperationName } from "@gatehouse-parking/contract";
import { createBudget, type Budget } from "./budget.js";
import { errorFromAnswer } from "./error-answers.js";
import { CertificateError, ConnectionError, GatehouseError, PlainServerError, SetupError } from "./errors.js";
import { pauseBeforeRetry, wait, type RetryPolicy } from "./retry.js";

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Told before the client pauses, so that a program can show why nothing happens. */
export interface Pause {
  reason: "rate limit" | "retry";
  durationMs: number;
  operation: OperationName;
  /** What made the pause necessary; undefined if the budget was used up without a refusal. */
  error?: Error;
}

/** What every request of one client shares. */
export interface Connection {
  url: string;
  apiKey: string;
  fetch: Fetch;
  timeoutMs: number;
  retry: RetryPolicy;
  onPause: (pause: Pause) => void;
  budgetOf(operation: OperationName): Budget;
}

export interface ClientRequest {
  operation: OperationName;
  method: "GET" | "POST";
  path: string;
  headers?: Record<string, string>;
  body?: string;
  /** Whether sending it twice does no harm. */
  isRepeatable: boolean;
  /** Sees the headers of the answer that succeeded. */
  onHeaders?: (headers: Headers) => void;
  /** Ends everything at once, an exchange under way included. */
  signal?: AbortSignal | undefined;
  /** Ends pauses and further attempts, but lets an exchange under way come to its end. */
  stop?: AbortSignal | undefined;
}

export function createBudgets(): (operation: OperationName) => Budget {
  const budgets = new Map<OperationName, Budget>();
  return (operation) => {
    let budget = budgets.get(operation);
    if (!budget) budgets.set(operation, (budget = createBudget()));
    return budget;
  };
}

/** Sends a request until it succeeds, must not be repeated, or has been tried often enough. */
export async function sendRequest<Answer>(connection: Connection, request: ClientRequest): Promise<Answer> {
  const budget = connection.budgetOf(request.operation);
  const attempts = { failures: 0, rateLimits: 0, startedMs: performance.now() };
  for (;;) {
    try {
      return (await sendOnce(connection, request, budget)) as Answer;
    } catch (error) {
      request.signal?.throwIfAborted();
      const isRefusal = error instanceof GatehouseError && error.status === 429;
      if (isRefusal) attempts.rateLimits += 1;
      else attempts.failures += 1;
      const durationMs =
        request.isRepeatable && !request.stop?.aborted
          ? pauseBeforeRetry(error, attempts, connection.retry, budget)
          : undefined;
      if (durationMs === undefined) throw error;
      connection.onPause({
        reason: isRefusal ? "rate limit" : "retry",
        durationMs,
        operation: request.operation,
        error: error as Error,
      });
      await wait(durationMs, eitherOf(request.signal, request.stop));
    }
  }
}

async function sendOnce(connection: Connection, request: ClientRequest, budget: Budget): Promise<unknown> {
  const { response, text } = await exchange(connection, request);
  budget.learn(response.headers);
  if (!response.ok) throw errorFromAnswer(response.status, response.headers, text);
  request.onHeaders?.(response.headers);
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw new GatehouseError(
      `The answer of ${connection.url} is not JSON. Is it the address of a Gatehouse service?`,
      { status: response.status, requestId: response.headers.get("x-request-id") ?? undefined, cause },
    );
  }
}

/**
 * One exchange on the wire, the whole answer included: a connection that breaks while it is read counts as broken. The time
 * limit is a timer that ends the reading itself, because Node may lose the signal of a fetch once the headers are there.
 */
async function exchange(
  connection: Connection,
  request: ClientRequest,
): Promise<{ response: Response; text: string }> {
  const ending = new AbortController();
  const late = new Error(`no answer within ${connection.timeoutMs} ms`);
  const timer = setTimeout(() => ending.abort(late), connection.timeoutMs);
  const stop = () => ending.abort(request.signal?.reason);
  request.signal?.addEventListener("abort", stop, { once: true });
  try {
    request.signal?.throwIfAborted();
    const response = await connection.fetch(connection.url + request.path, {
      method: request.method,
      headers: {
        accept: "application/json",
        "x-api-key": connection.apiKey,
        ...(request.body === undefined ? {} : { "content-type": "application/json" }),
        ...request.headers,
      },
      ...(request.body === undefined ? {} : { body: request.body }),
      // Following a redirect would carry the key to an address that nobody chose.
      redirect: "manual",
      signal: ending.signal,
    });
    return { response, text: await readText(response, ending.signal) };
  } catch (cause) {
    request.signal?.throwIfAborted();
    throw connectionError(connection, request, ending.signal.aborted ? late : cause);
  } finally {
    clearTimeout(timer);
    request.signal?.removeEventListener("abort", stop);
  }
}

async function readText({ body }: Response, signal: AbortSignal): Promise<string> {
  if (!body) return "";
  const reader = body.getReader();
  signal.addEventListener("abort", () => void reader.cancel(signal.reason).catch(() => undefined));
  const decoder = new TextDecoder();
  let text = "";
  for (let read = await reader.read(); !read.done; read = await reader.read())
    text += decoder.decode(read.value, { stream: true });
  signal.throwIfAborted();
  return text + decoder.decode();
}

/** fetch hides the reason ("fetch failed") in the cause. */
function connectionError(
  connection: Connection,
  { method, isRepeatable }: ClientRequest,
  thrown: unknown,
): ConnectionError {
  let reason = thrown;
  while (reason instanceof Error && reason.cause instanceof Error) reason = reason.cause;
  const text = reason instanceof Error ? reason.message || reason.name : String(reason);
  const code = String((reason as { code?: unknown })?.code);
  const message = `${connection.url} could not be reached: ${text}`;
  if (certificateCodes.test(code)) return new CertificateError(message, { cause: thrown, code });
  if (code === "EPROTO" && plainAnswer.test(text))
    return new PlainServerError(`${connection.url} could not be reached: it answers without TLS`, {
      cause: thrown,
    });
  if (code === "ERR_PROXY_REFUSED") return new SetupError(message, { cause: thrown });
  // A port that speaks TLS hangs up on plain HTTP without a word.
  if (connection.url.startsWith("http:") && brokenCodes.has(code))
    return new ConnectionError(`${message}. If the port speaks HTTPS, the address must begin with https://`, {
      cause: thrown,
    });
  const mayHaveArrived = method === "POST" && !unsentCodes.has(code);
  const note = `. It may have arrived and been stored${isRepeatable ? "; sending it again will not store anything twice" : ""}`;
  return new ConnectionError(mayHaveArrived ? message + note : message, { cause: thrown });
}

/** Nobody was there to send anything to. */
const unsentCodes = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"]);

/** What OpenSSL and Node call certificates they do not trust. */
const certificateCodes =
  /^(?:CERT_|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(?:VERIFY|GET_ISSUER)|ERR_TLS_CERT)/;

/** What a connection is called that ended before there was an answer. */
const brokenCodes = new Set(["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"]);

/** What OpenSSL makes of an answer that is no TLS. */
const plainAnswer = /wrong version number|packet length too long/;

export function eitherOf(
  first: AbortSignal | undefined,
  second: AbortSignal | undefined,
): AbortSignal | undefined {
  return first && second ? AbortSignal.any([first, second]) : (first ?? second);
}
