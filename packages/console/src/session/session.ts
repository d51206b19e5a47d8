import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { Session } from "@gatehouse-parking/contract/console";
import { createContext, useContext } from "react";
import { request } from "../api/client.js";
import { isSignedOut } from "../api/failure.js";
import { useOrganization } from "./organization.js";

export const sessionKey = ["session"] as const;

/** Null: nobody is signed in. */
type KnownSession = (Session & { hasEnded?: boolean }) | null;

/** The session after a request has found it ended. The page stays, with the sign-in over it. */
export function endSession(session: KnownSession | undefined): KnownSession {
  return session ? { ...session, hasEnded: true } : null;
}

export function useSessionQuery() {
  return useQuery<KnownSession>({
    queryKey: sessionKey,
    queryFn: async ({ signal, client }) => {
      try {
        return await request("getSession", { signal });
      } catch (error) {
        if (isSignedOut(error)) return endSession(client.getQueryData<KnownSession>(sessionKey));
        throw error;
      }
    },
    staleTime: 60_000,
  });
}

export function useEnterSession() {
  const client = useQueryClient();
  return (session: Session | null) => {
    // What the last person saw must not show for the next one, not even for a moment.
    client.removeQueries({ predicate: (query) => query.queryKey[0] !== sessionKey[0] });
    client.setQueryData(sessionKey, session);
  };
}

export const SessionContext = createContext<Session | null>(null);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error("This part of the console is for signed-in people");
  return session;
}

/**
 * Whether the person may change things in the organization on screen; viewers only look. The server decides, this only
 * hides what it would refuse.
 */
export function useMayChange(): boolean {
  return useOrganization().role !== "viewer";
}
