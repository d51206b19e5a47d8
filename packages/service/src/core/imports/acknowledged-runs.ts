import type pg from "pg";

/**
 * How long a run may be unreadable after its answer. Citus commits in two phases: if a worker is lost before the second
 * one, the run appears when Citus recovers, by default within a minute.
 */
const rememberedMs = 120_000;
/** As many as can be acknowledged in that time at 500 per second, at about 150 bytes each. */
const maxRemembered = 60_000;

/** Runs that this instance has acknowledged recently. On a cluster, the database may not show them yet. */
export class AcknowledgedRuns {
  /** By run, oldest first. */
  readonly #expiresAtMs = new Map<string, number>();

  remember(organizationId: string, referenceUuid: string): void {
    if (this.#expiresAtMs.size >= maxRemembered)
      this.#expiresAtMs.delete(this.#expiresAtMs.keys().next().value as string);
    this.#expiresAtMs.set(keyOf(organizationId, referenceUuid), performance.now() + rememberedMs);
  }

  /** False for every other organization. */
  has(organizationId: string, referenceUuid: string): boolean {
    return performance.now() < (this.#expiresAtMs.get(keyOf(organizationId, referenceUuid)) ?? 0);
  }
}

function keyOf(organizationId: string, referenceUuid: string): string {
  return `${organizationId} ${referenceUuid.toLowerCase()}`;
}

/** Whether the server commits in two phases, so that an acknowledged run may be unreadable for a while. */
export async function commitsInTwoPhases(pool: pg.Pool): Promise<boolean> {
  const { rows } = await pool.query<{ is: boolean }>(
    "select current_setting('citus.recover_2pc_interval', true) is not null as is",
  );
  return rows[0]?.is === true;
}
