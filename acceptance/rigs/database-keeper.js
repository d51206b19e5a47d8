// The operator's PostgreSQL, for rigs that break it: runs the embedded server on the folder given, prints its address,
// and stops it in good order when told to end. Killed, it leaves the server running, as any parent would.
import { startEmbeddedServer } from "../../packages/service/dist/core/database/database-server.js";

const server = await startEmbeddedServer({ dataDirectory: process.argv[2] ?? "", mayCreate: true });
process.on("SIGTERM", stop);
// Whoever started it is gone, whatever the reason, and nobody else would stop the server.
process.stdin.resume().on("end", stop);
process.stdout.write(`${server.connectionString}\n`);

async function stop() {
  await server.stop();
  process.exit(0);
}
