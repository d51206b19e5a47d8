/** Processor time of this process. On a busy machine it advances slower than the clock. */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/**
 * The longest time that the event loop was blocked while `work` ran, without the time that the machine spent on other
 * processes.
 */
export async function longestHold(work: () => Promise<void>): Promise<number> {
  let longest = 0;
  let last = { clock: performance.now(), processor: processorMs() };
  const look = () => {
    const now = { clock: performance.now(), processor: processorMs() };
    longest = Math.max(longest, Math.min(now.clock - last.clock, now.processor - last.processor));
    last = now;
  };
  const timer = setInterval(look, 1);
  await work();
  look();
  clearInterval(timer);
  return longest;
}
