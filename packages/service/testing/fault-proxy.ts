import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { messageOf, onMessages } from "./postgres-messages.js";

/**
 * A proxy in front of PostgreSQL that knows where one step of the conversation ends and the next begins, so that a test
 * can spoil exactly the n-th. A step is a statement, or the rows of a COPY, whether the driver waits for its answer or
 * sends the next behind it. Nothing in the service or the driver has to be prepared for it.
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
  /**
   * It and what was sent with it runs to its end. A pooler in between has lost the server before any of the answers, and
   * says so in the words of an ordinary error.
   */
  | "lost by a pooler"
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
type Phase = "starting" | "between steps" | "in a step" | "in a spoiled step" | "in a late step";

function join(driver: Socket, database: Socket, faultOfNextStep: () => Fault | undefined): void {
  let phase: Phase = "starting";
  /** How many more answers come before the one that the driver does not live to see. */
  let answersBeforeCut: number | undefined;
  /** Steps that were sent and not answered yet. */
  let unanswered = 0;
  /** What follows a failure is not done, and never answered. */
  let hasFailed = false;
  /** Statements that the server was asked to prepare and has prepared; what it did for a fault is not told. */
  let asked = 0;
  let prepared = 0;
  let untold: number | undefined;
  const late: Buffer[] = [];
  let isLost = false;
  const cut = (): void => {
    driver.destroy();
    database.destroy();
  };

  function beginStep(letter: string): void {
    phase = "in a step";
    const fault = faultOfNextStep();
    if (fault === "failed" || fault === "refused") {
      phase = "in a spoiled step";
      if (letter !== "Q" && letter !== "d") untold = asked++;
      database.write(letter === "d" ? rowsFailed() : statementThatFails(letter, fault));
    } else if (fault === "cut before") cut();
    else if (fault === "cut after" && hasFailed) cut();
    else if (fault === "cut after") answersBeforeCut = unanswered;
    else if (fault === "lost by a pooler") isLost = true;
    else if (fault === "cut, runs late") {
      phase = "in a late step";
      // The driver says what goes together at once, so by then all of it is on its way.
      setTimeout(() => driver.destroy(), 10);
      setTimeout(() => database.end(Buffer.concat(late)), lateByMs);
    }
  }

  onMessages(driver, { hasStartup: true }, (message, letter) => {
    if (phase === "starting" || letter === "X") return database.write(message);
    // The step that the driver is cut off after was the last.
    if (phase === "between steps" && answersBeforeCut !== undefined) return undefined;
    // It belongs to no step: what comes before it is answered now.
    const isSync = letter === "S";
    if (phase === "between steps" && !isSync) beginStep(letter);
    if (phase === "in a late step") return late.push(message);
    // The server has nothing to do with the rest of what was replaced.
    if (phase !== "in a spoiled step" || isSync) {
      if (letter === "P") asked += 1;
      database.write(message);
    }
    if (!endsStep.has(letter)) return undefined;
    phase = "between steps";
    unanswered += 1;
    // The server answers what it was asked so far before it hears anything more.
    if (answersBeforeCut !== undefined) return database.write(flush);
    return undefined;
  });
  onMessages(database, { hasStartup: false }, (message, letter) => {
    if (isLost) return letter === "Z" ? driver.end(serverLost()) : undefined;
    if (letter === "Z") {
      if (phase === "starting") phase = "between steps";
      hasFailed = false;
      unanswered = asked = prepared = 0;
      untold = undefined;
    }
    if (letter === "1" && prepared++ === untold) return undefined;
    if (endsAnswer.has(letter)) {
      unanswered -= 1;
      hasFailed ||= letter === "E";
      if (answersBeforeCut === 0 || (answersBeforeCut !== undefined && hasFailed)) return cut();
      if (answersBeforeCut !== undefined) answersBeforeCut -= 1;
    }
    return driver.write(message);
  });
  driver.on("close", () => phase === "in a late step" || database.destroy());
  database.on("close", () => driver.destroy());
}

/** A plain statement, the execution of a prepared one, the end of a COPY's rows. */
const endsStep = new Set(["Q", "E", "c"]);
/** That a statement is done, that the rows of a COPY are awaited, that something failed. */
const endsAnswer = new Set(["C", "G", "E"]);

const codes = { failed: "XX000", refused: "23514" };

/** In place of a statement: one that the server itself refuses, so that its transaction has really failed. */
function statementThatFails(letter: string, fault: keyof typeof codes): Buffer {
  const text = `do $$ begin raise exception 'spoiled' using errcode = '${codes[fault]}'; end $$`;
  if (letter === "Q") return messageOf("Q", text);
  const [noParameters, noValues, allRows] = [Buffer.alloc(2), Buffer.alloc(6), Buffer.alloc(4)];
  return Buffer.concat([
    messageOf("P", `\0${text}`, noParameters),
    messageOf("B", "\0", noValues),
    messageOf("E", "", allRows),
  ]);
}

/** In place of the rows of a COPY. */
function rowsFailed(): Buffer {
  return messageOf("f", "spoiled");
}

/** As PgBouncer said it before it called such an error fatal. */
function serverLost(): Buffer {
  return messageOf("E", "SERROR\0VERROR\0C08P01\0Mserver conn crashed?\0");
}

const flush = Buffer.from([0x48, 0, 0, 0, 4]);
