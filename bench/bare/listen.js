/** A bare Fastify with the same TLS and the same pool size as the service: the basis of every reference. */
import Fastify from "fastify";
import pg from "pg";
import { tlsOptions } from "../../packages/service/dist/core/server/tls/secure-context.js";

export const workConnections = 8;

/**
 * The benchmark's data about the organization of each key.
 * @returns {Map<unknown, any>}
 */
export const organizationsByKey = () => new Map(JSON.parse(process.env.TENANTS ?? "[]"));

/** @param {(app: import("fastify").FastifyInstance, pool: pg.Pool) => void} addRoutes */
export async function listenBare(addRoutes) {
  const { DATABASE_URL, GATEHOUSE_TLS_CERT = "", GATEHOUSE_TLS_KEY = "" } = process.env;
  const app = Fastify({
    https: await tlsOptions({ certFile: GATEHOUSE_TLS_CERT, keyFile: GATEHOUSE_TLS_KEY }),
  });
  const pool = new pg.Pool({ connectionString: DATABASE_URL, max: workConnections });
  addRoutes(app, pool);
  const address = await app.listen({ port: 0, host: "127.0.0.1" });
  process.stdout.write(`${address}\n`);
  process.once("SIGTERM", async () => {
    app.server.closeAllConnections();
    await app.close();
    await pool.end();
  });
}
