/** Lets everything else go on that waits in this process. */
export function turnOfTheLoop(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}
