import type pg from "pg";

/**
 * How long a run may be unreadable after its import was answered. Citus commits in two phases: if a worker is lost before the
 * second one, the run appears when Citus recovers, once a minute by default.
 */
const rememberedMs = 120_000;
/** So many as are acknowledged in that time at 500 a second, at about 150 bytes each. */
const maxRemembered = 60_000;

/**
 * The runs that this instance has acknowledged lately. On a cluster, a run that is among them may exist even if the database
 * does not show it yet.
 */
export class AcknowledgedRuns {
  /** When each is forgotten; the oldest is the first. */
  readonly #untilMs = new Map<string, number>();

  remember(organizationId: string, referenceUuid: string): void {
    if (this.#untilMs.size >= maxRemembered)
      this.#untilMs.delete(this.#untilMs.keys().next().value as string);
    this.#untilMs.set(keyOf(organizationId, referenceUuid), performance.now() + rememberedMs);
  }

  /** False for every other organization. */
  has(organizationId: string, referenceUuid: string): boolean {
    return performance.now() < (this.#untilMs.get(keyOf(organizationId, referenceUuid)) ?? 0);
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
