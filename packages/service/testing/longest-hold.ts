/** Processor time of this process. On a busy machine less of it passes than time on the clock. */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/**
 * The longest time that the event loop was held at once while `work` ran. What the machine spent on other processes
 * meanwhile does not count.
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
