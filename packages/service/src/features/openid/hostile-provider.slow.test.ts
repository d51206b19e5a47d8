import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { amount, isLong, startRig } from "../../../../../testing/rig.js";
import { useApp, type Answer } from "../../../testing/harness.js";
import {
  clientId,
  closeServer,
  startHostileProvider,
  type HostileProvider,
  type ProviderAttack,
} from "../../../testing/hostile-provider.js";
import {
  endpoints,
  rawAnswers,
  rawAttack,
  slowAnswer,
  wrongAnswers,
  wrongMetadata,
  wrongTokens,
} from "../../../testing/provider-attacks.js";
import { addPerson } from "../../../testing/person.js";
import { cookiesOf, pendingName, postFrom, publicUrl } from "../../../testing/provider-app.js";
import { buildApp } from "../../app.js";
import { providerTimeoutMs } from "./bounded-fetch.js";

const gatehouse = useApp();
const rig = startRig("hostile provider");
const email = "kate@hostile.example";
/** How much longer than the provider's timeout an answer may take on a busy machine. */
const slackMs = 10_000;
const errorLevel = 50;

let victim: string;
let trap: Server;
let trapped = 0;
let visits = 0;
const statuses: Record<string, number> = {};
let slowestMs = 0;

beforeAll(async () => {
  victim = (await addPerson(gatehouse.database, { email, role: "operator" })).uuid;
  trap = createServer((_request, reply) => {
    trapped += 1;
    reply.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
  await new Promise<void>((resolve) => trap.listen(0, "127.0.0.1", resolve));
});
afterAll(() => closeServer(trap));

interface Stage {
  provider: HostileProvider;
  app: FastifyInstance;
}

/** A provider, and a service that has not contacted it yet. */
async function onStage<T>(play: (stage: Stage) => Promise<T>): Promise<T> {
  const provider = await startHostileProvider();
  const config = {
    ...gatehouse.config,
    publicUrl,
    oidcIssuer: provider.issuer,
    oidcClientId: clientId,
    oidcClientSecret: "a secret of the tests alone",
  };
  const app = await buildApp({ config, database: gatehouse.database, logger: gatehouse.app.log });
  try {
    return await play({ provider, app });
  } finally {
    await app.close();
    await provider.close();
  }
}

function post(app: FastifyInstance, path: string, body: object, cookie?: string): Promise<Answer> {
  visits += 1;
  return postFrom(app, `10.${visits >> 12}.${(visits >> 6) & 63}.${(visits & 63) + 1}`, path, body, cookie);
}

interface Asked {
  answer: string;
  cookie: string;
}

/** Starts a sign-in at the provider as a browser does. Returns the service's answer if it refuses to start. */
async function goThere({ provider, app }: Stage): Promise<Asked | Answer> {
  const started = await post(app, "/session/provider/start", {});
  if (started.status !== 200) return started;
  expect(started.json.address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/authorize\?/);
  const cookie = `${pendingName}=${cookiesOf(started)[pendingName]}`;
  return { cookie, answer: provider.authorize(started.json.address) };
}

async function signIn(stage: Stage, attack: ProviderAttack): Promise<Answer> {
  stage.provider.misbehave(attack, email);
  const begunMs = performance.now();
  const asked = await goThere(stage);
  const answer =
    "cookie" in asked
      ? await post(stage.app, "/session/provider", { answer: asked.answer }, asked.cookie)
      : asked;
  slowestMs = Math.max(slowestMs, performance.now() - begunMs);
  statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
  return answer;
}

/** No session was opened, and the answer tells the user what to do. */
async function expectRefused(what: string, answer: Answer): Promise<void> {
  const { status, code, errors } = { status: answer.status, ...answer.json };
  expect(
    [
      [401, "providerRefused"],
      [503, "unavailable"],
    ],
    `${what}: ${answer.text}`,
  ).toContainEqual([status, code]);
  expect(errors[0], what).toMatch(
    /^(Start again from the sign-in page|Your email address has no invitation|The sign-in provider)/,
  );
  expect(cookiesOf(answer), what).not.toHaveProperty("__Host-gatehouse-session");
}

async function expectNoSignIn(): Promise<void> {
  const { rows } = await gatehouse.database.work.query(
    "select 'session' as what from sessions where user_id = $1 union all select 'identity' from provider_identities",
    [victim],
  );
  expect(rows).toEqual([]);
  expect(trapped).toBe(0);
  expect(gatehouse.logged.filter(({ level }) => Number(level) >= errorLevel)).toEqual([]);
}

/** In one setup, because the provider's metadata is cached only if it is valid. */
async function tryAll(attacks: [string, ProviderAttack][]): Promise<void> {
  await onStage(async (stage) => {
    for (const [what, attack] of attacks) await expectRefused(what, await signIn(stage, attack));
  });
  await expectNoSignIn();
}

test("an ID token with any fault signs no one in", () => tryAll(Object.entries(wrongTokens)));

test("an invalid callback from the browser signs no one in", () => tryAll(Object.entries(wrongAnswers)));

test("a provider with wrong endpoints in its metadata is not used", () =>
  tryAll(Object.entries(wrongMetadata)));

test.each(endpoints)("an invalid answer of the endpoint %s signs no one in", async (endpoint) => {
  const raw = rawAnswers(`http://127.0.0.1:${(trap.address() as AddressInfo).port}/`);
  await tryAll(
    Object.entries(raw).map(([what, answer]) => [`${endpoint}: ${what}`, rawAttack(endpoint, answer)]),
  );
});

test("an answer that never ends is aborted", async () => {
  await Promise.all(
    endpoints.map((endpoint) =>
      onStage(async (stage) => expectRefused(endpoint, await signIn(stage, rawAttack(endpoint, slowAnswer)))),
    ),
  );
  await expectNoSignIn();
  if (isLong) expect(slowestMs).toBeLessThan(2 * providerTimeoutMs + slackMs);
});

test("several faults at once sign no one in", async () => {
  const tokens = Object.entries(wrongTokens);
  await tryAll(
    Array.from({ length: amount(40, 2_000) }, (): [string, ProviderAttack] => {
      const [one, first] = rig.random.pick(tokens);
      const [two, second] = rig.random.pick(tokens);
      const [three, third] = rig.random.pick(Object.entries(wrongAnswers));
      return [`${one}, ${two}, ${three}`, { ...first, ...second, ...third }];
    }),
  );
});

test("a valid answer signs in once: neither the answer nor its code works again or in another browser", async () => {
  await onStage(async (stage) => {
    stage.provider.misbehave({}, email);
    const asked = (await goThere(stage)) as Asked;
    const other = (await goThere(stage)) as Asked;
    await expectRefused(
      "another browser",
      await post(stage.app, "/session/provider", { answer: asked.answer }, other.cookie),
    );
    const answers = await Promise.all([
      post(stage.app, "/session/provider", { answer: asked.answer }, asked.cookie),
      post(stage.app, "/session/provider", { answer: asked.answer }, asked.cookie),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401]);
    await expectRefused(
      "the same again",
      await post(stage.app, "/session/provider", { answer: asked.answer }, asked.cookie),
    );
    const code = new URLSearchParams(asked.answer).get("code") ?? "";
    const reused = other.answer.replace(/code=[^&]+/, `code=${code}`);
    await expectRefused(
      "the code of another request",
      await post(stage.app, "/session/provider", { answer: reused }, other.cookie),
    );
    const userinfo = { userinfo: () => undefined } satisfies ProviderAttack;
    expect((await signIn(stage, userinfo)).json.user.email).toBe(email);
  });
  rig.held({
    ...Object.fromEntries(Object.entries(statuses).map(([status, count]) => [`answers ${status}`, count])),
    "slowest sign-in, ms": Math.round(slowestMs),
    "time limit of a step, ms": providerTimeoutMs,
    "redirects followed": trapped,
  });
});
