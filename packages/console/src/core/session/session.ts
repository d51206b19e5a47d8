import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { OrganizationSummary, Role, Session } from "@gatehouse-parking/contract/console";
import { createContext, useContext } from "react";
import { request } from "../api/client.js";
import { isSignedOut } from "../api/errors.js";

export const sessionKey = ["session"] as const;

/** Null on the sign-in page. */
type KnownSession = (Session & { hasEnded?: boolean }) | null;

/** An expired session. The page stays, and the sign-in dialog opens over it. */
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
    // The next user must not see cached data of the last one.
    client.removeQueries({ predicate: (query) => query.queryKey[0] !== sessionKey[0] });
    client.setQueryData(sessionKey, session);
  };
}

export const SessionContext = createContext<Session | null>(null);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error("useSession needs a signed-in user");
  return session;
}

/** False for viewers and outside of organizations. This only hides controls; the service enforces it. */
export function useMayChange(): boolean {
  const organization = useOptionalOrganization();
  return organization !== null && organization.role !== "viewer";
}

/** The current organization, with the user's role in it. */
export type CurrentOrganization = OrganizationSummary & { role: Role };

export const OrganizationContext = createContext<CurrentOrganization | null>(null);

export function useOptionalOrganization(): CurrentOrganization | null {
  return useContext(OrganizationContext);
}

export function useOrganization(): CurrentOrganization {
  const organization = useContext(OrganizationContext);
  if (!organization) throw new Error("useOrganization needs a page of an organization");
  return organization;
}

const rememberedKey = "gatehouse-organization";

/** The last visited organization, for `/`. */
export const rememberedOrganization = {
  read: () => localStorage.getItem(rememberedKey),
  write: (uuid: string) => localStorage.setItem(rememberedKey, uuid),
  forget: () => localStorage.removeItem(rememberedKey),
};
