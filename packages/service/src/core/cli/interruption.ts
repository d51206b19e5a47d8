/** Runs work that Ctrl-C and SIGTERM end early; it then cleans up behind itself, and the command ends with 1. */
export async function untilInterrupted<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const interruption = new AbortController();
  const interrupt = (): void => {
    // Whoever asks twice does not want to wait.
    if (interruption.signal.aborted) process.exit(1);
    interruption.abort();
  };
  process.on("SIGINT", interrupt).on("SIGTERM", interrupt);
  try {
    return await work(interruption.signal);
  } catch (error) {
    if (interruption.signal.aborted)
      throw new Error("Interrupted. Nothing was left behind.", { cause: error });
    throw error;
  } finally {
    process.off("SIGINT", interrupt).off("SIGTERM", interrupt);
  }
}
