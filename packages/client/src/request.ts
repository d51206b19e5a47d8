import type { OperationName } from "@gatehouse-parking/contract";
import { createRateLimit, type RateLimit } from "./rate-limit.js";
import { errorFromResponse } from "./error-responses.js";
import { CertificateError, ConnectionError, GatehouseError, PlainServerError, SetupError } from "./errors.js";
import { pauseBeforeRetry, wait, type RetryPolicy } from "./retry.js";

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Reported before the client pauses, so that a program can show why nothing happens. */
export interface Pause {
  reason: "rate limit" | "retry";
  durationMs: number;
  operation: OperationName;
  /** The cause of the pause; undefined if the client waits for the rate limit without a 429. */
  error?: Error;
}

/** Shared by all requests of one client. */
export interface Connection {
  url: string;
  apiKey: string;
  fetch: Fetch;
  timeoutMs: number;
  retry: RetryPolicy;
  onPause: (pause: Pause) => void;
  rateLimitOf(operation: OperationName): RateLimit;
}

export interface ClientRequest {
  operation: OperationName;
  method: "GET" | "POST" | "DELETE";
  path: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer>;
  /** Whether the request is safe to send twice. */
  isRepeatable: boolean;
  /** Receives the headers of a successful response. */
  onHeaders?: (headers: Headers) => void;
  /** Aborts everything, including a request in flight. */
  signal?: AbortSignal | undefined;
  /** Aborts pauses and further attempts, but lets a request in flight finish. */
  stop?: AbortSignal | undefined;
}

export function createRateLimits(): (operation: OperationName) => RateLimit {
  const rateLimits = new Map<OperationName, RateLimit>();
  return (operation) => {
    let rateLimit = rateLimits.get(operation);
    if (!rateLimit) rateLimits.set(operation, (rateLimit = createRateLimit()));
    return rateLimit;
  };
}

/** Sends a request until it succeeds, may not be retried, or has used all attempts. */
export async function sendRequest<Answer>(connection: Connection, request: ClientRequest): Promise<Answer> {
  const rateLimit = connection.rateLimitOf(request.operation);
  const attempts = { failures: 0, rateLimits: 0, startedMs: performance.now() };
  for (;;) {
    try {
      return (await sendOnce(connection, request, rateLimit)) as Answer;
    } catch (error) {
      request.signal?.throwIfAborted();
      const isRefusal = error instanceof GatehouseError && error.status === 429;
      if (isRefusal) attempts.rateLimits += 1;
      else attempts.failures += 1;
      const durationMs =
        request.isRepeatable && !request.stop?.aborted
          ? pauseBeforeRetry(error, attempts, connection.retry, rateLimit)
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

async function sendOnce(
  connection: Connection,
  request: ClientRequest,
  rateLimit: RateLimit,
): Promise<unknown> {
  const { response, text } = await exchange(connection, request);
  rateLimit.learn(response.headers);
  if (!response.ok) throw errorFromResponse(response.status, response.headers, text);
  request.onHeaders?.(response.headers);
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw new GatehouseError(
      `The response of ${connection.url} is not JSON. Check that the address is that of a Gatehouse service`,
      { status: response.status, requestId: response.headers.get("x-request-id") ?? undefined, cause },
    );
  }
}

/**
 * Sends one request and yields the text of the response as it arrives. It is not retried, because a part of the text may be used
 * already. The time limit applies to every wait for more of it.
 */
export async function* streamText(connection: Connection, request: ClientRequest): AsyncGenerator<string> {
  const ending = new AbortController();
  const late = new Error(`no answer within ${connection.timeoutMs} ms`);
  const timer = setTimeout(() => ending.abort(late), connection.timeoutMs);
  try {
    const response = await fetchOnce(
      connection,
      request,
      eitherOf(ending.signal, request.signal) as AbortSignal,
    );
    if (!response.ok) throw errorFromResponse(response.status, response.headers, await response.text());
    const decoder = new TextDecoder();
    for await (const bytes of (response.body ?? []) as AsyncIterable<Uint8Array>) {
      timer.refresh?.();
      yield decoder.decode(bytes, { stream: true });
    }
    yield decoder.decode();
  } catch (cause) {
    request.signal?.throwIfAborted();
    if (cause instanceof GatehouseError) throw cause;
    throw connectionError(connection, request, ending.signal.aborted ? late : cause);
  } finally {
    clearTimeout(timer);
    ending.abort();
  }
}

function fetchOnce(connection: Connection, request: ClientRequest, signal: AbortSignal): Promise<Response> {
  return connection.fetch(connection.url + request.path, {
    method: request.method,
    headers: {
      accept: "application/json",
      "x-api-key": connection.apiKey,
      ...(request.body === undefined ? {} : { "content-type": "application/json" }),
      ...request.headers,
    },
    ...(request.body === undefined ? {} : { body: request.body }),
    // Following a redirect would send the key to an unexpected address.
    redirect: "manual",
    signal,
  });
}

/**
 * Sends one request and reads the whole response; a connection that breaks during the read counts as broken.
 * The time limit uses a timer that cancels the read, because Node may ignore the signal of a fetch once the
 * headers have arrived.
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
    const response = await fetchOnce(connection, request, ending.signal);
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
    return new PlainServerError(`${connection.url} could not be reached: the server does not use TLS`, {
      cause: thrown,
    });
  if (code === "ERR_PROXY_REFUSED") return new SetupError(message, { cause: thrown });
  // A TLS port closes the connection on plain HTTP without an answer.
  if (connection.url.startsWith("http:") && brokenCodes.has(code))
    return new ConnectionError(`${message}. If the port speaks HTTPS, the address must begin with https://`, {
      cause: thrown,
    });
  const mayHaveArrived = method === "POST" && !unsentCodes.has(code);
  const note = `. The request may have arrived and been stored${isRepeatable ? "; resending it stores nothing twice" : ""}`;
  return new ConnectionError(mayHaveArrived ? message + note : message, { cause: thrown });
}

/** The connection was never established. */
const unsentCodes = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"]);

/** OpenSSL and Node error codes for untrusted certificates. */
const certificateCodes =
  /^(?:CERT_|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(?:VERIFY|GET_ISSUER)|ERR_TLS_CERT)/;

/** Error codes of connections that closed before a response. */
const brokenCodes = new Set(["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"]);

/** OpenSSL errors for a server that does not speak TLS. */
const plainAnswer = /wrong version number|packet length too long/;

/** The parameters that have a value. */
export function queryText(query: object): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.set(name, String(value));
  }
  return parameters.size === 0 ? "" : `?${parameters.toString()}`;
}

export function eitherOf(
  first: AbortSignal | undefined,
  second: AbortSignal | undefined,
): AbortSignal | undefined {
  return first && second ? AbortSignal.any([first, second]) : (first ?? second);
}
