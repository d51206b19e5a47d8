// The PostgreSQL of the operator, for rigs that break it: runs the embedded server in the given folder,
// prints its address, and stops it cleanly on a signal. If it is killed, the server keeps running.
import { startEmbeddedServer } from "../../packages/service/dist/core/database/database-server.js";

const server = await startEmbeddedServer({ dataDirectory: process.argv[2] ?? "", mayCreate: true });
process.on("SIGTERM", stop);
// The parent process has ended, so the server has to be stopped here.
process.stdin.resume().on("end", stop);
process.stdout.write(`${server.connectionString}\n`);

async function stop() {
  await server.stop();
  process.exit(0);
}
