import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import type { Answer, Sending } from "../requests.js";
import { until } from "../running-service.js";
import type { Tenant } from "./fleet.js";
import type { Operation, Run } from "./history.js";
import type { Random } from "./rig.js";

/** Partners who import without a pause, write down what they are told, and send again what was not answered. */
export interface Load {
  operations: Operation[];
  /** Requests that were answered in the end, and those of them that had to be sent more than once. */
  answered: number;
  cured: number;
  /** Until so many more requests were answered than when it was asked. */
  more(requests: number): Promise<void>;
  /** Ends it; fails if any request could not be cured by sending it again. */
  stop(): Promise<void>;
  /** Everything that was ever sent, once more. */
  replay(): Promise<void>;
}

export interface LoadOptions {
  clients: number;
  tenant: Tenant;
  random: Random;
  ask(pathname: string, sending: Sending): Promise<Answer>;
}

/** A request that fails is sent again for so long. */
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
      // Instances come and go, and then there is no answer or a 503. The database is always there: a 500 has no excuse.
      expect([undefined, 503], answer?.text).toContain(answer?.status);
      if (performance.now() > deadlineMs)
        throw new Error(`${pathname} was not cured by ${attempt} attempts: ${answer?.text ?? "no answer"}`);
      await sleep(pauseMs);
    }
  }

  /** New transactions and some that are known, a few of them changed, and then the run as it is kept. */
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
  // What fails is heard where somebody waits for it.
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
