import type { AnswerOf, BodyOf, QueryOf } from "@gatehouse-parking/contract/console";
import { Refused, Unreachable } from "./failure.js";
import { addressOf, methodOf, type PathParameters, type QueryParameters, type RouteName } from "./routes.js";

export interface RequestOptions<Name extends RouteName> {
  parameters?: PathParameters | undefined;
  query?: QueryOf<Name> | undefined;
  body?: BodyOf<Name> | undefined;
  /** A part of a file, in place of a body. */
  bytes?: Blob | undefined;
  /** The same for everything that is meant to be done once; see one-change.ts. */
  token?: string | undefined;
  signal?: AbortSignal | undefined;
}

const requestTimeoutMs = 60_000;

/** One request to the console's interface. Throws Refused or Unreachable, which explain() turns into words. */
export async function request<Name extends RouteName>(
  name: Name,
  options: RequestOptions<Name> = {},
): Promise<AnswerOf<Name>> {
  const response = await ask(name, options);
  return (response.status === 204 ? undefined : await response.json()) as AnswerOf<Name>;
}

/** A file whose request is no address that a link could have. */
export async function requestFile<Name extends RouteName>(
  name: Name,
  options: RequestOptions<Name>,
): Promise<string> {
  return (await ask(name, options)).text();
}

async function ask<Name extends RouteName>(
  name: Name,
  { parameters = {}, query, body, bytes, token, signal }: RequestOptions<Name>,
): Promise<Response> {
  const response = await send(name, {
    address: addressOf(name, parameters, query as QueryParameters | undefined),
    body: bytes ?? (body === undefined ? undefined : JSON.stringify(body)),
    token,
    signal,
  });
  if (!response.ok) throw new Refused(response.status, await readBody(response));
  return response;
}

interface Exchange {
  address: string;
  body?: string | Blob | undefined;
  token?: string | undefined;
  signal?: AbortSignal | undefined;
}

/** The bare exchange, for callers that look at every status themselves. */
export async function send(name: RouteName, { address, body, token, signal }: Exchange): Promise<Response> {
  const method = methodOf(name);
  const timeout = AbortSignal.timeout(requestTimeoutMs);
  try {
    return await fetch(address, {
      method,
      credentials: "same-origin",
      headers: {
        ...(method === "GET" ? {} : { "content-type": contentTypeOf(body) }),
        ...(token === undefined ? {} : { "idempotency-key": token }),
      },
      body: method === "GET" ? null : (body ?? "{}"),
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Unreachable(error, { wasChange: method !== "GET" });
  }
}

function contentTypeOf(body: Exchange["body"]): string {
  return body instanceof Blob ? "application/octet-stream" : "application/json";
}

/** Refusals by a proxy in between are no JSON; their status still says something. */
async function readBody(response: Response): Promise<Record<string, unknown>> {
  try {
    return (await response.json()) as Record<string, unknown>;
  } catch {
    return {};
  }
}
