import type { ServiceHealth } from "@gatehouse-parking/contract/console";
import type pg from "pg";
import { nowMs } from "../../core/clock.js";
import type { Config } from "../../core/config.js";
import { readLedger } from "../../core/database/schema/ledger.js";
import { schemaState } from "../../core/database/schema/schema-state.js";
import type { Instance } from "../../core/instances.js";
import { readLastBackup } from "../../core/last-backup.js";

const maxCountedUploads = 1_000;

export interface ServiceParts {
  pool: pg.Pool;
  config: Pick<Config, "databaseUrl" | "dataDirectory">;
  instance: Instance;
  failedDatabaseRestarts: () => number;
  /** When the current certificate expires; undefined without TLS. */
  certificateExpiry: () => Date | undefined;
  unknownCommits: () => number;
  /** Added by features. */
  describeHealth: () => Partial<ServiceHealth>;
}

/** The health of the service, as far as this instance can see it. */
export async function readServiceHealth(parts: ServiceParts): Promise<ServiceHealth> {
  const { pool, config, instance } = parts;
  const askedMs = performance.now();
  const { rows } = await pool.query<{ version: string }>(
    "select current_setting('server_version') as version",
  );
  const pingMs = Math.round((performance.now() - askedMs) * 10) / 10;
  await instance.heartbeat();
  const waiting = await pool.query<{ count: number }>(
    `select count(*) as count from (select from upload_queue where is_wanted limit ${maxCountedUploads}) as wanted`,
  );
  const expiry = parts.certificateExpiry();
  const isEmbedded = config.databaseUrl === undefined;
  return {
    at: new Date(nowMs()).toISOString(),
    version: instance.version,
    instances: await instance.listAll(),
    database: {
      version: rows[0]?.version ?? "",
      pingMs,
      isEmbedded,
      failedRestarts: parts.failedDatabaseRestarts(),
    },
    schema: {
      state: (await schemaState(pool)).is,
      latest: (await readLedger(pool))?.at(-1)?.name ?? null,
    },
    certificate: expiry ? { expiresAt: expiry.toISOString() } : null,
    backup: isEmbedded ? await readLastBackup(config.dataDirectory) : null,
    scheduledBackups: null,
    uploadsWaiting: waiting.rows[0]?.count ?? 0,
    unknownEnds: parts.unknownCommits(),
    ...parts.describeHealth(),
  };
}
