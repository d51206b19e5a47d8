import { createUser, type Role } from "../src/organizations/users.js";
import type { Answer, TestApp } from "./harness.js";

/** A signed-in person of the console, as a browser page would act for them. */
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

export const testPassword = "correct horse battery staple";
/** What a browser adds to a request of the console's own page. */
export const ownPage = { "sec-fetch-site": "same-origin" };
export const consoleRoot = "/console/api";

let people = 0;

/** Creates a person with this role and signs them in. */
export async function signedIn(gatehouse: TestApp, role: Role, organizationId?: string): Promise<Visitor> {
  people += 1;
  const email = `${role}-${people}@example.com`;
  const user = await createUser(gatehouse.database.work, {
    email,
    role,
    organizationId: role === "operator" ? undefined : organizationId,
    password: testPassword,
    actor: "test",
  });
  const answer = await signIn(gatehouse, email, testPassword);
  if (answer.status !== 200) throw new Error(`sign-in answered ${answer.status}: ${answer.text}`);
  return visitor(gatehouse, email, user.uuid, cookieOf(answer));
}

/** Every sign-in comes from an address of its own, so that tests do not use up each other's attempts. */
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
  const send = (method: "GET" | "POST" | "PATCH" | "DELETE", path: string, body?: unknown, token?: string) =>
    gatehouse.send({
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

/** The session cookie of an answer, without its attributes. */
export function cookieOf(answer: Answer): string {
  return String(answer.headers["set-cookie"]).split(";")[0] as string;
}
