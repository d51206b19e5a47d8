/**
 * How long a run may be unreadable after its import was answered. Citus commits in two phases: if a worker is lost before the
 * second one, the run appears when Citus recovers, once a minute by default.
 */
const rememberedMs = 120_000;
/** At about 150 bytes each. */
const maxRemembered = 10_000;

/**
 * The runs that this instance has acknowledged lately. A run that is among them exists, even if the database does not show it
 * yet.
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
