// Writes openapi.json from the app that production runs; with --check, fails if the committed file differs.
import "@fastify/swagger";
import { pino } from "pino";
import { compareOrWrite } from "./generated-file.js";

const { buildApp } = await import("../packages/service/dist/app.js");
const { readConfig } = await import("../packages/service/dist/config.js");
const { openDatabase } = await import("../packages/service/dist/core/database/pool.js");

// Building the app only declares its routes: no connection is made.
const database = openDatabase({ connectionString: "postgres://localhost/none", workConnections: 2 });
const app = await buildApp({ config: readConfig({}), database, logger: pino({ level: "silent" }) });
await app.ready();
const document = app.swagger();
await app.close();
await database.close();

compareOrWrite("openapi.json", `${JSON.stringify(document, null, 2)}\n`, "npm run openapi");
