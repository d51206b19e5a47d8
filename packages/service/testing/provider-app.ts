import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect } from "vitest";
import { buildApp } from "../src/app.js";
import { createUser } from "../src/core/organizations/accounts.js";
import { consoleRoot, ownPage } from "./console.js";
import { sendTo, type Answer, type TestApp } from "./harness.js";
import { startProvider, type ClaimsOf, type TestProvider } from "./openid-provider.js";

export const publicUrl = "https://gate.example.com";
export const pendingName = "__Host-gatehouse-provider";

/** An app with sign-in through a local OpenID provider, and the actions of a browser. */
export interface ProviderApp {
  readonly app: FastifyInstance;
  readonly provider: TestProvider;
  /** The provider's claims for each login. */
  readonly claims: Map<string, ReturnType<ClaimsOf>>;
  appWith(changes: object): Promise<FastifyInstance>;
  begin(to?: FastifyInstance): Promise<{ address: string; cookie: string; pending: string }>;
  post(path: string, body?: object, cookie?: string, to?: FastifyInstance): Promise<Answer>;
  signInAs(login: string, to?: FastifyInstance, session?: string): Promise<Answer>;
  /** A user whom an operator has invited. */
  invited(): Promise<{ email: string; userId: string; organizationId: string }>;
}

export function useProviderApp(gatehouse: TestApp): ProviderApp {
  const claims = new Map<string, ReturnType<ClaimsOf>>();
  let provider: TestProvider;
  let app: FastifyInstance;
  let people = 0;
  beforeAll(async () => {
    provider = await startProvider(`${publicUrl}/sign-in/provider`, (login) => claims.get(login) ?? {});
    app = await appWith({});
  });
  afterAll(async () => {
    await app?.close();
    await provider?.close();
  });

  function appWith(changes: object): Promise<FastifyInstance> {
    const config = {
      ...gatehouse.config,
      publicUrl,
      oidcIssuer: provider.issuer,
      oidcClientId: provider.clientId,
      oidcClientSecret: provider.clientSecret,
      ...changes,
    };
    return buildApp({ config, database: gatehouse.database, logger: gatehouse.app.log });
  }

  function post(path: string, body: object = {}, cookie?: string, to = app): Promise<Answer> {
    people += 1;
    return postFrom(to, `192.0.2.${people % 250}`, path, body, cookie);
  }

  async function begin(to = app): Promise<{ address: string; cookie: string; pending: string }> {
    const started = await post("/session/provider/start", {}, undefined, to);
    expect(started.status, started.text).toBe(200);
    const pending = cookiesOf(started)[pendingName] as string;
    return { address: started.json.address, cookie: `${pendingName}=${pending}`, pending };
  }

  return {
    claims,
    appWith,
    post,
    begin,
    get app() {
      return app;
    },
    get provider() {
      return provider;
    },
    async signInAs(login, to = app, session) {
      const { address, cookie } = await begin(to);
      const back = await provider.signIn(address, login);
      const cookies = session === undefined ? cookie : `${cookie}; ${session}`;
      return post("/session/provider", { answer: back.search }, cookies, to);
    },
    async invited() {
      const { organizationId } = await gatehouse.tenant();
      people += 1;
      const email = `invited-${people}@example.com`;
      const { uuid } = await createUser(gatehouse.database.work, {
        email,
        role: "viewer",
        organizationId,
        actor: "test",
      });
      return { email, userId: uuid, organizationId };
    },
  };
}

/** A POST request of the console's page, from this address. */
export function postFrom(
  to: FastifyInstance,
  address: string,
  path: string,
  body: object,
  cookie?: string,
): Promise<Answer> {
  return sendTo(to, {
    method: "POST",
    url: consoleRoot + path,
    headers: {
      ...ownPage,
      "content-type": "application/json",
      "x-forwarded-for": address,
      ...(cookie === undefined ? {} : { cookie }),
    },
    payload: JSON.stringify(body),
  });
}

/** Each cookie that an answer sets, without its attributes. */
export function cookiesOf(answer: Answer): Record<string, string> {
  const header = [answer.headers["set-cookie"]].flat().map(String);
  return Object.fromEntries(header.map((cookie) => cookie.split(";")[0]?.split("=") as [string, string]));
}
