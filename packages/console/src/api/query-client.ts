import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { endSession, sessionKey } from "../session/session.js";
import { reportConnection } from "./connection.js";
import { isSignedOut, Unreachable } from "./failure.js";

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
      // A failure is shown at once, with a button to try again; the banner retries by itself when the server is gone.
      queries: { retry: false, staleTime: staleMs, networkMode: "always" },
      mutations: { retry: false, networkMode: "always" },
    },
  });
  return client;
}
