import { useSyncExternalStore } from "react";

/** Whether the last request got any answer at all. The banner at the top of the page follows it. */
let isLost = false;
const listeners = new Set<() => void>();

export function reportConnection(lost: boolean): void {
  if (lost === isLost) return;
  isLost = lost;
  for (const notify of listeners) notify();
}

export function useConnectionLost(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => isLost,
  );
}
