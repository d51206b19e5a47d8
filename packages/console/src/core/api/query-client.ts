import { useSyncExternalStore } from "react";
import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { endSession, sessionKey } from "../session/session.js";
import { isSignedOut, Unreachable } from "./errors.js";

/** Whether the last request got an answer. The connection banner shows it. */
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

const staleMs = 15_000;

const onSuccess = () => reportConnection(false);

export function createQueryClient(): QueryClient {
  const onError = (error: unknown) => {
    if (error instanceof Unreachable) reportConnection(true);
    if (isSignedOut(error)) client.setQueryData(sessionKey, endSession);
  };
  const client = new QueryClient({
    queryCache: new QueryCache({ onError, onSuccess }),
    mutationCache: new MutationCache({ onError, onSuccess }),
    defaultOptions: {
      // Pages show a failure immediately with a retry button. The connection banner retries automatically.
      queries: { retry: false, staleTime: staleMs, networkMode: "always" },
      mutations: { retry: false, networkMode: "always" },
    },
  });
  return client;
}
