import { consoleOperations, type ConsoleOperation } from "@gatehouse-parking/contract/console";
import type { Role } from "../src/core/organizations/accounts.js";
import type { Answer, TestApp } from "./harness.js";
import { schemaProblems } from "./schema-problems.js";
import { addPerson, testPassword } from "./person.js";

export { testPassword } from "./person.js";

/** A signed-in console user, acting like a browser page. */
export interface Visitor {
  email: string;
  userId: string;
  /** The session cookie, as the browser would send it. */
  readonly cookie: string;
  get(path: string): Promise<Answer>;
  /** `token` goes into Idempotency-Key. */
  post(path: string, body?: unknown, token?: string): Promise<Answer>;
  patch(path: string, body: unknown): Promise<Answer>;
  delete(path: string): Promise<Answer>;
}

/** The headers that a browser adds to requests of the console's page. */
export const ownPage = { "sec-fetch-site": "same-origin" };
export const consoleRoot = "/console/api";

let people = 0;

/** Creates a user with this role and signs them in. */
export async function signedIn(gatehouse: TestApp, role: Role, organizationId?: string): Promise<Visitor> {
  people += 1;
  const email = `${role}-${people}@example.com`;
  const user = await addPerson(gatehouse.database, { email, role, organizationId });
  const answer = await signIn(gatehouse, email, testPassword);
  if (answer.status !== 200) throw new Error(`sign-in answered ${answer.status}: ${answer.text}`);
  return visitor(gatehouse, email, user.uuid, cookieOf(answer));
}

/** Every sign-in uses a different client address, so that tests do not share a rate limit. */
export async function signIn(
  gatehouse: TestApp,
  email: string,
  password: string,
  headers: Record<string, string> = {},
): Promise<Answer> {
  people += 1;
  return gatehouse.send({
    method: "POST",
    url: `${consoleRoot}/session`,
    headers: {
      ...ownPage,
      "content-type": "application/json",
      "x-forwarded-for": `198.51.${Math.floor(people / 250)}.${(people % 250) + 1}`,
      ...headers,
    },
    payload: JSON.stringify({ email, password }),
  });
}

export function visitor(gatehouse: TestApp, email: string, userId: string, cookie: string): Visitor {
  const send = async (
    method: "GET" | "POST" | "PATCH" | "DELETE",
    path: string,
    body?: unknown,
    token?: string,
  ) => {
    const answer = await gatehouse.send({
      method,
      url: consoleRoot + path,
      headers: {
        ...ownPage,
        cookie,
        ...(token === undefined ? {} : { "idempotency-key": token }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { payload: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    refuseUndeclared(method, consoleRoot + path, answer);
    return answer;
  };
  return {
    email,
    userId,
    cookie,
    get: (path) => send("GET", path),
    post: (path, body = {}, token) => send("POST", path, body, token),
    patch: (path, body) => send("PATCH", path, body),
    delete: (path) => send("DELETE", path),
  };
}

/** Checks that every answer has exactly the fields that its operation declares. */
function refuseUndeclared(method: string, url: string, answer: Answer): void {
  const [path = ""] = url.split("?");
  const operation = Object.values<ConsoleOperation>(consoleOperations).find(
    (one) => one.method === method && fitsPath(one.path, path),
  );
  if (answer.status !== 200 || !operation || !isJson(answer)) return;
  const found = schemaProblems(operation.answer, answer.json);
  if (found.length > 0)
    throw new Error(`${method} ${path} answers what it does not declare: ${found.join("; ")}`);
}

/** Whether a URL matches a path with parameters, such as /runs/:referenceUuid/failures.:format. */
function fitsPath(path: string, address: string): boolean {
  const parts = address.split("/");
  const wanted = path.split("/");
  return parts.length === wanted.length && wanted.every((part, index) => fitsPart(part, parts[index] ?? ""));
}

function fitsPart(wanted: string, part: string): boolean {
  const parameter = wanted.indexOf(":");
  return parameter === -1 ? part === wanted : part.startsWith(wanted.slice(0, parameter));
}

function isJson(answer: Answer): boolean {
  return String(answer.headers["content-type"]).startsWith("application/json");
}

/** The session cookie of an answer, without its attributes. */
export function cookieOf(answer: Answer): string {
  return String(answer.headers["set-cookie"]).split(";")[0] as string;
}
