import { readDatabaseUrl } from "../database.js";
import { readChoice, readInteger, readSwitch, readText } from "../readers.js";
import type { Variables } from "../variables.js";

/** Where the data is. */
export const databaseVariables = {
  databaseUrl: {
    name: "DATABASE_URL",
    read: readDatabaseUrl,
    whenUnset: undefined,
    shownDefault: "embedded server",
    description:
      "The PostgreSQL database (15 or later) to use; several servers may be named (host1:5432,host2:5432), of which the one that accepts writes is used. Unset: a PostgreSQL server of our own runs in the data folder. Set but empty: an error.",
    secret: true,
  },
  databasePassword: {
    name: "GATEHOUSE_DATABASE_PASSWORD",
    read: readText,
    whenUnset: undefined,
    shownDefault: "the one in DATABASE_URL",
    description:
      "The password for DATABASE_URL, as it is: in the address itself it would have to be percent-encoded.",
    secret: true,
  },
  embeddedDatabase: {
    name: "GATEHOUSE_EMBEDDED_DATABASE",
    read: readSwitch,
    whenUnset: undefined,
    shownDefault: "on without DATABASE_URL",
    description:
      "Whether the embedded server may be used. off, as in the image: without DATABASE_URL nothing starts, instead of a new and empty database.",
  },
  databaseConnections: {
    name: "GATEHOUSE_DATABASE_CONNECTIONS",
    read: (text: string) => readInteger(text, 2, 500),
    whenUnset: 8,
    shownDefault: "8",
    description:
      "Connections for what one instance stores: imports and leads. Twelve more (above 9, as many as this and four) serve key and limit checks, reads and the console, so that none of these waits for another; two more are open while organizations are exported.",
  },
  databasePooler: {
    name: "GATEHOUSE_DATABASE_POOLER",
    read: (text: string) => readChoice(text, ["none", "transaction"] as const),
    whenUnset: "none",
    shownDefault: "none",
    description:
      "transaction: DATABASE_URL leads to a pooler in transaction mode, such as PgBouncer. Nothing is kept in sessions then; docs/explanation/scaling.md says what to set there.",
  },
  dataDirectory: {
    name: "GATEHOUSE_DATA_DIR",
    read: readText,
    whenUnset: "./data",
    shownDefault: "./data",
    description:
      "Folder of the embedded database, the generated certificate and the generated secret key. Nothing is made where none of them is needed.",
  },
} satisfies Partial<Variables>;
