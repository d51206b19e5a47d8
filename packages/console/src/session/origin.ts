import { useSession } from "./session.js";

/** The address that links on the page name: the public one, or the one by which the console was opened. */
export function useServiceOrigin(): string {
  return useSession().publicUrl ?? window.location.origin;
}

/** How commands on the page reach the public interface. */
export interface Interface {
  /** Over HTTPS, even if the console was opened on the plain port. */
  origin: string;
  /** Where the interface is refused, because it is plain HTTP. */
  plainOrigin: string;
  /** The certificate (PEM) of the service's own authority; null: callers know who signed the service's. */
  authority: string | null;
}

export function useInterface(): Interface {
  const { publicUrl, ports, authority } = useSession();
  return {
    ...interfaceOf(new URL(publicUrl ?? window.location.origin), publicUrl !== null, ports),
    authority,
  };
}

export function interfaceOf(
  opened: URL,
  isPublic: boolean,
  ports: { https: number | null; http: number },
): Omit<Interface, "authority"> {
  const isPlain = opened.protocol === "http:" && !isPublic && ports.https !== null;
  return {
    origin: isPlain ? `https://${opened.hostname}:${ports.https}` : opened.origin,
    plainOrigin: isPublic ? `http://${opened.hostname}` : `http://${opened.hostname}:${ports.http}`,
  };
}
