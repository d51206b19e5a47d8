import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import type { Answer, Sending } from "../requests.js";
import { until } from "../running-service.js";
import type { Tenant } from "./fleet.js";
import type { Operation, Run } from "./history.js";
import type { Random } from "./rig.js";

/** Partners that import without a pause, record the answers, and resend requests that were not answered. */
export interface Load {
  operations: Operation[];
  /** Requests that were answered in the end, and those that had to be sent more than once. */
  answered: number;
  cured: number;
  /** Waits until this many more requests were answered. */
  more(requests: number): Promise<void>;
  /** Stops the load. Fails if a request failed even when it was sent again. */
  stop(): Promise<void>;
  /** Sends everything once more. */
  replay(): Promise<void>;
}

export interface LoadOptions {
  clients: number;
  tenant: Tenant;
  random: Random;
  ask(pathname: string, sending: Sending): Promise<Answer>;
}

/** How long a failing request is retried. */
const cureMs = 30_000;
const pauseMs = 50;
const batchLimit = 500;

export function startLoad({ clients, tenant, random, ask }: LoadOptions): Load {
  const { key } = tenant;
  const over = new AbortController();
  let lastNumber = 0;

  async function untilAnswered(pathname: string, body: object | undefined, keys: string[]): Promise<Answer> {
    const deadlineMs = performance.now() + cureMs;
    for (let attempt = 1; ; attempt += 1) {
      const operation: Operation = { resource: "transactions", keys, end: "pending" };
      if (body) load.operations.push(operation);
      const answer = await ask(pathname, body ? { key, body } : { key }).catch(() => undefined);
      operation.end = answer?.status === 200 ? "ok" : "info";
      if (body && answer?.status === 200) operation.run = answer.json as Run;
      if (answer?.status === 200) {
        load.answered += 1;
        if (attempt > 1) load.cured += 1;
        return answer;
      }
      // Instances come and go, so there may be no answer or a 503. The database is always up, so a 500 is an
      // error.
      expect([undefined, 503], answer?.text).toContain(answer?.status);
      if (performance.now() > deadlineMs)
        throw new Error(`${pathname} still failed after ${attempt} attempts: ${answer?.text ?? "no answer"}`);
      await sleep(pauseMs);
    }
  }

  /** New transactions and some that are known, a few of them changed, and then the stored run. */
  async function importOnce(): Promise<void> {
    const fresh = Array.from({ length: random.between(1, 8) }, () => (lastNumber += 1));
    const known = Array.from({ length: 4 }, () => random.between(1, lastNumber));
    const numbers = random.shuffled([...new Set([...fresh, ...known])]);
    const cardType = random.pick(["visa", "amex"]);
    const run = await untilAnswered(
      "/integrations/transactions",
      { transactions: numbers.map((number) => transaction(number, tenant, cardType)) },
      numbers.map(keyOf),
    );
    for (const { status, reference } of (run.json as Run).results)
      expect([1, 3], `${reference}: ${run.text}`).toContain(status);
    const read = await untilAnswered(`/integrations/imports/${run.json.referenceUuid}`, undefined, []);
    expect(read.json).toEqual(run.json);
  }

  const load: Load = {
    operations: [],
    answered: 0,
    cured: 0,
    async more(requests) {
      const goal = load.answered + requests;
      await Promise.race([until(async () => load.answered >= goal), working]);
    },
    async stop() {
      over.abort();
      await working;
    },
    async replay() {
      const numbers = Array.from({ length: lastNumber }, (_, index) => index + 1);
      for (let begin = 0; begin < numbers.length; begin += batchLimit) {
        const part = numbers.slice(begin, begin + batchLimit);
        const transactions = part.map((number) => transaction(number, tenant, "visa"));
        const answer = await untilAnswered("/integrations/transactions", { transactions }, part.map(keyOf));
        for (const { status } of (answer.json as Run).results) expect(status, answer.text).toBe(3);
      }
    },
  };
  const working = Promise.all(
    Array.from({ length: clients }, async () => {
      while (!over.signal.aborted) await importOnce();
    }),
  );
  // Errors are reported where the caller awaits the load.
  working.catch(() => undefined);
  return load;
}

const keyOf = (number: number): string => `T-${number}`;

function transaction(number: number, { locationUuid }: Tenant, cardType: string): Record<string, unknown> {
  return {
    transactionId: keyOf(number),
    locationUuid,
    type: 1,
    transactionDate: "2026-04-01T14:30:00Z",
    cardType,
    account: { tpReferenceId: `A-${number % 40}`, name: "Acme" },
    contact: { email: `c${number % 50}@example.com` },
    vehicle: { licensePlate: `P${number % 70}` },
    subscription: { tpReferenceId: `S-${number % 30}` },
  };
}
