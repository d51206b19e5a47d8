import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { messageOf, onMessages } from "./postgres-messages.js";

/**
 * A proxy that rejects what PgBouncer rejects in transaction mode with its defaults: most settings in the startup
 * message, and named statements, because the next transaction may use another connection. Like PgBouncer, it answers
 * the handshake with a process ID that is not the server's.
 */
export interface StrictPooler {
  /** The database's connection string through the pooler. */
  readonly connectionString: string;
  close(): Promise<void>;
}

const passed = new Set(["user", "database", "application_name", "client_encoding", "DateStyle", "TimeZone"]);
const headBytes = 8;
/** BackendKeyData: its type byte, its length, then the process ID. */
const processMessage = "K";
const madeUpProcess = 1;

export async function startStrictPooler(connectionString: string): Promise<StrictPooler> {
  const target = new URL(connectionString);
  const sockets = new Set<Socket>();
  const server = createServer((driver) => {
    const database = connect(Number(target.port), target.hostname);
    for (const socket of [driver, database]) {
      sockets.add(socket);
      socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
    }
    driver.on("close", () => database.destroy());
    database.on("close", () => driver.destroy());
    onMessages(database, { hasStartup: false }, (message, letter) => {
      if (letter === processMessage) message.writeInt32BE(madeUpProcess, headBytes - 3);
      driver.write(message);
    });
    relay(driver, database);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const pooled = new URL(connectionString);
  pooled.port = String((server.address() as AddressInfo).port);
  return {
    connectionString: pooled.href,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

function relay(driver: Socket, database: Socket): void {
  let isRefused = false;
  onMessages(driver, { hasStartup: true }, (message, letter) => {
    if (isRefused) return;
    const refusal = letter === "" ? refusalOfStartup(message) : refusalOfStatement(message, letter);
    if (refusal === undefined) return void database.write(message);
    isRefused = true;
    driver.end(messageOf("E", `SFATAL\0VFATAL\0C08P01\0M${refusal}\0`));
  });
}

function refusalOfStartup(message: Buffer): string | undefined {
  const words = message.toString("utf8", headBytes).split("\0");
  const names = words.filter((word, index) => index % 2 === 0 && word !== "");
  const refused = names.find((name) => !passed.has(name));
  return refused && `unsupported startup parameter: ${refused}`;
}

/** Prepares (P) or binds (B) a named statement. */
function refusalOfStatement(message: Buffer, letter: string): string | undefined {
  const nameAt = 5;
  const isNamed =
    letter === "P" ? message[nameAt] !== 0 : letter === "B" && message[message.indexOf(0, nameAt) + 1] !== 0;
  return isNamed ? "prepared statement does not exist" : undefined;
}
