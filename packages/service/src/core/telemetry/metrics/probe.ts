export interface ProbeOptions {
  /** An answer is good for this long, however many ask. */
  freshMs?: number;
  /** Whoever asks waits no longer than this; silence means no. */
  patienceMs?: number;
}

/**
 * Asks whether something works without becoming a burden to it: one question at a time, and none while an answer is
 * fresh. One that brings no answer is not asked again until it has ended, so a hung server costs one connection.
 */
export function createProbe(
  ask: () => Promise<unknown>,
  { freshMs = 1_000, patienceMs = 2_000 }: ProbeOptions = {},
): () => Promise<boolean> {
  let asking: Promise<boolean> | undefined;
  let last: { works: boolean; atMs: number } | undefined;

  function askOnce(): Promise<boolean> {
    asking ??= ask()
      .then(
        () => true,
        () => false,
      )
      .then((works) => {
        last = { works, atMs: performance.now() };
        asking = undefined;
        return works;
      });
    return asking;
  }

  return async () => {
    if (last && performance.now() - last.atMs < freshMs) return last.works;
    let timer: NodeJS.Timeout | undefined;
    const silence = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), patienceMs);
    });
    return Promise.race([askOnce(), silence]).finally(() => clearTimeout(timer));
  };
}
