import type { FastifyBaseLogger } from "fastify";

/** Work that every instance repeats. Instances that share a database may do it at the same time. */
export interface Job {
  /** For the log: "<name> failed". */
  readonly name: string;
  readonly run: () => Promise<void>;
}

/** Runs the jobs at each interval until the returned function is called. A job that is still running is not started again. */
export function startJobs(
  jobs: readonly Job[],
  { intervalMs, log }: { intervalMs: number; log: Pick<FastifyBaseLogger, "warn"> },
): () => void {
  const starts = jobs.map(({ name, run }) =>
    skipWhileRunning(run, (error) => log.warn({ err: error }, `${name} failed`)),
  );
  const timer = setInterval(() => {
    for (const start of starts) start();
  }, intervalMs).unref();
  return () => clearInterval(timer);
}

function skipWhileRunning(work: () => Promise<void>, onError: (error: unknown) => void): () => void {
  let isRunning = false;
  return () => {
    if (isRunning) return;
    isRunning = true;
    work()
      .catch(onError)
      .finally(() => {
        isRunning = false;
      });
  };
}
