import type { BackupKind } from "@gatehouse-parking/local-postgres/backup";
import { packageVersion } from "../version.js";
import { gatehouse } from "./database-server.js";
import { minimumRelease, readLedger } from "./schema/ledger.js";
import { isOlderRelease, thisRelease } from "./schema/release.js";

/** What the manifest of our backups says beside what local-postgres notes. */
export interface BackupFacts {
  gatehouseVersion: string;
  /**
   * The highest number in the table that release 1.0.0 knows, which restores what is not above its own; 0 if there was
   * none yet.
   */
  schemaVersion: number;
  /** Releases before this one cannot work on the database. Null if all can, absent if 1.0.0 made the backup. */
  minimumRelease?: string | null;
  /** How many there were when the backup began. None is ever deleted. Absent if 1.0.0 made the backup. */
  organizations?: number;
}

export const backupKind: BackupKind<BackupFacts> = {
  product: gatehouse,
  // The key of what is encrypted in the database, and the authority that clients trust.
  files: ["secret.key"],
  folders: ["tls"],
  async readFacts(client) {
    const gatehouseVersion = packageVersion();
    const { rows: tables } = await client.query<{ migrated: boolean }>(
      "select to_regclass('schema_migrations') is not null as migrated",
    );
    if (!tables[0]?.migrated)
      return { gatehouseVersion, schemaVersion: 0, minimumRelease: null, organizations: 0 };
    const { rows } = await client.query<{ number: number; organizations: number }>(
      `select (select coalesce(max(number), 0) from schema_migrations) as number,
              (select count(*)::int from organizations) as organizations`,
    );
    const { number = 0, organizations = 0 } = rows[0] ?? {};
    const minimum = minimumRelease((await readLedger(client)) ?? []);
    return { gatehouseVersion, schemaVersion: number, minimumRelease: minimum ?? null, organizations };
  },
  makerOf: ({ gatehouseVersion }) => `Gatehouse ${gatehouseVersion}`,
  problemOf({ minimumRelease: minimum }) {
    if (!minimum || !isOlderRelease(thisRelease, minimum)) return undefined;
    return (
      `and releases before ${minimum} cannot work on its database; this is ${thisRelease}. ` +
      `Restore it with ${minimum} or later.`
    );
  },
};
