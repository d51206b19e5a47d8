/** Repeated work that is slower than its interval is not started beside itself: it would only get slower by that. */
export function skipWhileRunning(work: () => Promise<void>, onError: (error: unknown) => void): () => void {
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
