import type { BackupKind } from "@gatehouse-parking/local-postgres/backup";
import { packageVersion } from "../version.js";
import { gatehouse } from "./database-server.js";
import { minimumRelease, readLedger } from "./schema/ledger.js";
import { isOlderRelease, thisRelease } from "./schema/release.js";

/** Gatehouse's part of a backup's manifest, besides the fields of local-postgres. */
export interface BackupFacts {
  gatehouseVersion: string;
  /**
   * The last migration in the table that release 1.0.0 reads. That release restores backups up to its own last
   * migration. 0: no migrations yet.
   */
  schemaVersion: number;
  /** Earlier releases cannot use the database. Null: all can. Absent: 1.0.0 made the backup. */
  minimumRelease?: string | null;
  /**
   * The number of organizations when the backup began. Organizations are never deleted. Absent: 1.0.0 made the backup.
   */
  organizations?: number;
}

export const backupKind: BackupKind<BackupFacts> = {
  product: gatehouse,
  // The encryption key for data in the database, and the CA that clients trust.
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
