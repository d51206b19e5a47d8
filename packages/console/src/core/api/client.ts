import type { AnswerOf, BodyOf, ConsoleOperationName, QueryOf } from "@gatehouse-parking/contract/console";
import { addresses } from "./addresses.js";
import { Refused, Unreachable } from "./errors.js";

export type RouteName = ConsoleOperationName;
export type PathParameters = Record<string, string>;
export type QueryParameters = Record<string, string | number | boolean | null | undefined>;

const methodOf = (name: RouteName) => addresses[name].method;

export function addressOf(name: RouteName, parameters: PathParameters, query: QueryParameters = {}): string {
  const path = addresses[name].path.replaceAll(/:(\w+)/g, (_, parameter: string) => {
    const value = parameters[parameter];
    if (value === undefined) throw new Error(`${name} needs ${parameter}`);
    return encodeURIComponent(value);
  });
  const search = new URLSearchParams();
  for (const [parameter, value] of Object.entries(query)) {
    if (value !== null && value !== undefined && value !== "") search.set(parameter, String(value));
  }
  return search.size > 0 ? `${path}?${search.toString()}` : path;
}

export interface RequestOptions<Name extends RouteName> {
  parameters?: PathParameters | undefined;
  query?: QueryOf<Name> | undefined;
  body?: BodyOf<Name> | undefined;
  /** A piece of a file, instead of a JSON body. */
  bytes?: Blob | undefined;
  /** The idempotency key; see IdempotentChange in queries.ts. */
  token?: string | undefined;
  signal?: AbortSignal | undefined;
}

const requestTimeoutMs = 60_000;

/** Sends one request to the console's API. Throws Refused or Unreachable, which explain() turns into text. */
export async function request<Name extends RouteName>(
  name: Name,
  options: RequestOptions<Name> = {},
): Promise<AnswerOf<Name>> {
  const response = await fetchChecked(name, options);
  return (response.status === 204 ? undefined : await response.json()) as AnswerOf<Name>;
}

/** A download whose request has a body, so that it cannot be a link. */
export async function requestFile<Name extends RouteName>(
  name: Name,
  options: RequestOptions<Name>,
): Promise<string> {
  return (await fetchChecked(name, options)).text();
}

async function fetchChecked<Name extends RouteName>(
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

interface FetchOptions {
  address: string;
  body?: string | Blob | undefined;
  token?: string | undefined;
  signal?: AbortSignal | undefined;
}

async function send(name: RouteName, { address, body, token, signal }: FetchOptions): Promise<Response> {
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

function contentTypeOf(body: FetchOptions["body"]): string {
  return body instanceof Blob ? "application/octet-stream" : "application/json";
}

/** A proxy may refuse without a JSON body. The status is still useful. */
async function readBody(response: Response): Promise<Record<string, unknown>> {
  try {
    return (await response.json()) as Record<string, unknown>;
  } catch {
    return {};
  }
}

/** Saves text as a file. */
export function saveFile(name: string, type: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
