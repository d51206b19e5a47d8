/** The share of its time that an instance spends on uploads, of all organizations together. The rest is for requests. */
const workShare = 0.5;
/** Also after a batch that took unusually long, for example because it waited for a lock. */
const maxRestMs = 10_000;

/**
 * How long an upload rests after this time of work, while so many uploads are active on the instance. So batches are spread evenly,
 * and their pace adapts to the speed of the machine and of the database.
 */
export function restMs(workedMs: number, active: number): number {
  const share = workShare / Math.max(1, active);
  return Math.min(maxRestMs, (workedMs * (1 - share)) / share);
}
