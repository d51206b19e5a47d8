import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/**
 * A proxy in front of PostgreSQL that knows where one step of the conversation ends and the next begins, so that a test
 * can spoil exactly the n-th. A step is what the driver says until the server has to answer: a statement, or the rows
 * of a COPY. Nothing in the service or the driver has to be prepared for it.
 */
export interface FaultProxy {
  /** The database's connection string, by way of the proxy. */
  readonly connectionString: string;
  /** Spoils the n-th step from now on, counted from 1; with `forEver`, every one after it as well. */
  spoil(nth: number, fault: Fault, forEver: boolean): void;
  /** Lets everything pass again, and says how many steps there were and how many of them were spoiled. */
  heal(): { steps: number; spoiled: number };
  close(): Promise<void>;
}

/** What happens to a step, and how the driver hears of it. */
export type Fault =
  /** It never runs; the server answers that it failed (XX000). */
  | "failed"
  /** It never runs; the server answers that the data breaks a rule (23514). */
  | "refused"
  /** It never runs; the connection is gone. */
  | "cut before"
  /** It runs to its end; the connection is gone before the answer arrives. */
  | "cut after"
  /** The connection is gone, and the step arrives at the server all the same, a while later. */
  | "cut, runs late";

const lateByMs = 50;

interface Plan {
  nth: number;
  fault: Fault;
  forEver: boolean;
}

export async function startFaultProxy(connectionString: string): Promise<FaultProxy> {
  const target = new URL(connectionString);
  const sockets = new Set<Socket>();
  let plan: Plan | undefined;
  let steps = 0;
  let spoiled = 0;

  function faultOfNextStep(): Fault | undefined {
    steps += 1;
    if (!plan || (plan.forEver ? steps < plan.nth : steps !== plan.nth)) return undefined;
    spoiled += 1;
    return plan.fault;
  }

  const server = createServer((driver) => {
    const database = connect(Number(target.port), target.hostname);
    for (const socket of [driver, database]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      // Cutting connections is what this is for.
      socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
    }
    join(driver, database, faultOfNextStep);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const proxied = new URL(connectionString);
  proxied.port = String((server.address() as AddressInfo).port);

  return {
    connectionString: proxied.href,
    spoil(nth, fault, forEver) {
      steps = 0;
      spoiled = 0;
      plan = { nth, fault, forEver };
    },
    heal() {
      plan = undefined;
      return { steps, spoiled };
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

/** What the driver is doing; steps count only once the server was ready for the first time. */
type Phase = "starting" | "ready" | "ready for rows" | "in a step" | "in a spoiled step" | "in a late step";

function join(driver: Socket, database: Socket, faultOfNextStep: () => Fault | undefined): void {
  let phase: Phase = "starting";
  let cutAfterwards = false;
  const late: Buffer[] = [];
  const cut = (): void => {
    driver.destroy();
    database.destroy();
  };

  onMessages(driver, { hasStartup: true }, (message, type) => {
    if (phase === "starting" || type === "terminate") return database.write(message);
    if (phase === "in a step") return database.write(message);
    if (phase === "in a late step") return late.push(message);
    // The rest of what was replaced; the server has nothing to do with it.
    if (phase === "in a spoiled step") return undefined;
    const isRows = phase === "ready for rows";
    phase = "in a step";
    const fault = faultOfNextStep();
    switch (fault) {
      case undefined:
        return database.write(message);
      case "failed":
      case "refused":
        phase = "in a spoiled step";
        return database.write(isRows ? rowsFailed() : statementThatFails(fault));
      case "cut before":
        return cut();
      case "cut after":
        cutAfterwards = true;
        return database.write(message);
      case "cut, runs late":
        phase = "in a late step";
        late.push(message);
        // The driver says a step at once, so by then all of it is on its way.
        setTimeout(() => driver.destroy(), 10);
        setTimeout(() => database.end(Buffer.concat(late)), lateByMs);
    }
  });
  onMessages(database, { hasStartup: false }, (message, type) => {
    if (type === "ready" || type === "ready for rows") {
      if (cutAfterwards) return cut();
      phase = type;
    }
    return driver.write(message);
  });
  driver.on("close", () => phase === "in a late step" || database.destroy());
  database.on("close", () => driver.destroy());
}

type MessageType = "terminate" | "ready" | "ready for rows" | "other";
const typesOfDatabase: Record<string, MessageType> = { Z: "ready", G: "ready for rows" };
const typesOfDriver: Record<string, MessageType> = { X: "terminate" };

/** Calls back with every whole message: a letter, its length, its content. The very first one of a driver has no letter. */
function onMessages(
  socket: Socket,
  { hasStartup }: { hasStartup: boolean },
  take: (message: Buffer, type: MessageType) => unknown,
): void {
  let pending = Buffer.alloc(0);
  let isStartup = hasStartup;
  socket.on("data", (bytes) => {
    pending = Buffer.concat([pending, bytes]);
    for (;;) {
      const lengthAt = isStartup ? 0 : 1;
      if (pending.length < lengthAt + 4) return;
      const size = lengthAt + pending.readInt32BE(lengthAt);
      if (pending.length < size) return;
      const message = pending.subarray(0, size);
      pending = pending.subarray(size);
      const letter = isStartup ? "" : String.fromCharCode(message[0] as number);
      isStartup = false;
      take(message, (hasStartup ? typesOfDriver : typesOfDatabase)[letter] ?? "other");
    }
  });
}

const codes = { failed: "XX000", refused: "23514" };

/** In place of a statement: one that the server itself refuses, so that its transaction has really failed. */
function statementThatFails(fault: keyof typeof codes): Buffer {
  return messageOf("Q", `do $$ begin raise exception 'spoiled' using errcode = '${codes[fault]}'; end $$`);
}

/** In place of the rows of a COPY. */
function rowsFailed(): Buffer {
  return messageOf("f", "spoiled");
}

function messageOf(letter: string, text: string): Buffer {
  const content = Buffer.from(`${text}\0`);
  const head = Buffer.alloc(5);
  head.write(letter);
  head.writeInt32BE(content.length + 4, 1);
  return Buffer.concat([head, content]);
}
