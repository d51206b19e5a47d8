import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { messageOf, onMessages } from "./postgres-messages.js";

/**
 * A proxy in front of PostgreSQL that recognizes the steps of the protocol, so that a test can break the n-th one. A
 * step is a statement or the rows of a COPY, whether the driver waits for its answer or not. Service and driver need
 * no preparation.
 */
export interface FaultProxy {
  /** The database's connection string through the proxy. */
  readonly connectionString: string;
  /** Breaks the n-th step from now on, counted from 1; with `forEver`, every later one too. */
  spoil(nth: number, fault: Fault, forEver: boolean): void;
  /** Stops breaking steps, and returns the number of steps and how many of them were broken. */
  heal(): { steps: number; spoiled: number };
  close(): Promise<void>;
}

/** What happens to a step, and what the driver sees. */
export type Fault =
  /** It never runs; the server reports a failure (XX000). */
  | "failed"
  /** It never runs; the server reports a constraint violation (23514). */
  | "refused"
  /** It never runs; the connection is lost. */
  | "cut before"
  /** It runs to its end; the connection is lost before the answer arrives. */
  | "cut after"
  /**
   * The step and everything sent with it runs to its end. A pooler in between has lost the server before any of the
   * answers, and reports an ordinary error.
   */
  | "lost by a pooler"
  /** The connection is lost, and the step reaches the server a while later. */
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
      // Broken connections are expected here.
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

/** The phase of the driver. Steps count only after the server was ready for the first time. */
type Phase = "starting" | "between steps" | "in a step" | "in a spoiled step" | "in a late step";

function join(driver: Socket, database: Socket, faultOfNextStep: () => Fault | undefined): void {
  let phase: Phase = "starting";
  /** The number of answers before the one at which the connection is cut. */
  let answersBeforeCut: number | undefined;
  /** Steps that were sent but not answered yet. */
  let unanswered = 0;
  /** After a failure, the remaining steps are skipped without an answer. */
  let hasFailed = false;
  /**
   * Statements that the server was asked to prepare and has prepared. Answers to injected statements are not
   * forwarded.
   */
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
      // The driver sends a pipeline at once, so all of it is on its way by now.
      setTimeout(() => driver.destroy(), 10);
      setTimeout(() => database.end(Buffer.concat(late)), lateByMs);
    }
  }

  onMessages(driver, { hasStartup: true }, (message, letter) => {
    if (phase === "starting" || letter === "X") return database.write(message);
    // The connection is cut after this step, so it was the last.
    if (phase === "between steps" && answersBeforeCut !== undefined) return undefined;
    // This message belongs to no step: everything before it is answered now.
    const isSync = letter === "S";
    if (phase === "between steps" && !isSync) beginStep(letter);
    if (phase === "in a late step") return late.push(message);
    // The server does not get the rest of a replaced step.
    if (phase !== "in a spoiled step" || isSync) {
      if (letter === "P") asked += 1;
      database.write(message);
    }
    if (!endsStep.has(letter)) return undefined;
    phase = "between steps";
    unanswered += 1;
    // The server answers everything sent so far before it receives more.
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

/** A simple query, the execution of a prepared statement, the end of a COPY's rows. */
const endsStep = new Set(["Q", "E", "c"]);
/** A completed statement, a COPY waiting for rows, an error. */
const endsAnswer = new Set(["C", "G", "E"]);

const codes = { failed: "XX000", refused: "23514" };

/** Replaces a statement with one that the server rejects, so that its transaction really fails. */
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

/** Replaces the rows of a COPY. */
function rowsFailed(): Buffer {
  return messageOf("f", "spoiled");
}

/** The message of PgBouncer before it treated this error as fatal. */
function serverLost(): Buffer {
  return messageOf("E", "SERROR\0VERROR\0C08P01\0Mserver conn crashed?\0");
}

const flush = Buffer.from([0x48, 0, 0, 0, 4]);
