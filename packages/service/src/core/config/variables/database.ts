import { readDatabaseUrl } from "../database.js";
import { readChoice, readInteger, readSwitch, readText } from "../readers.js";
import type { Variables } from "../variables.js";

/** Where data is stored. */
export const databaseVariables = {
  databaseUrl: {
    name: "DATABASE_URL",
    read: readDatabaseUrl,
    whenUnset: undefined,
    shownDefault: "embedded server",
    description:
      "The PostgreSQL database (version 15 or later). You can list several servers (host1:5432,host2:5432); the one that accepts writes is used. If unset, an embedded PostgreSQL server runs in the data folder. An empty value is an error.",
    secret: true,
  },
  databasePassword: {
    name: "GATEHOUSE_DATABASE_PASSWORD",
    read: readText,
    whenUnset: undefined,
    shownDefault: "the one in DATABASE_URL",
    description: "The password for DATABASE_URL, not percent-encoded.",
    secret: true,
  },
  embeddedDatabase: {
    name: "GATEHOUSE_EMBEDDED_DATABASE",
    read: readSwitch,
    whenUnset: undefined,
    shownDefault: "on without DATABASE_URL",
    description:
      "Whether the service may start the embedded server. If off (the default in the container image), the service does not start without DATABASE_URL, so it cannot create an empty database by mistake.",
  },
  databaseConnections: {
    name: "GATEHOUSE_DATABASE_CONNECTIONS",
    read: (text: string) => readInteger(text, 2, 500),
    whenUnset: 8,
    shownDefault: "8",
    description:
      "Size of the connection pool for imports and leads, per instance. Each instance opens 12 more connections (if set above 9: this number plus 4) for API key and limit checks, reads and the console, so that these do not wait for imports, and two more during organization exports.",
  },
  databasePooler: {
    name: "GATEHOUSE_DATABASE_POOLER",
    read: (text: string) => readChoice(text, ["none", "transaction"] as const),
    whenUnset: "none",
    shownDefault: "none",
    description:
      "Set transaction if DATABASE_URL leads to a pooler in transaction mode, such as PgBouncer. The service then keeps no session state. For the pooler's settings, see docs/explanation/scaling.md.",
  },
  dataDirectory: {
    name: "GATEHOUSE_DATA_DIR",
    read: readText,
    whenUnset: "./data",
    shownDefault: "./data",
    description:
      "Folder for the embedded database, the generated certificate and the generated secret key. It is created only if one of them is needed.",
  },
} satisfies Partial<Variables>;
