import { useSession } from "./session.js";

/** The address that links and commands on the page name: the public one, or the one by which the console was opened. */
export function useServiceOrigin(): string {
  return useSession().publicUrl ?? window.location.origin;
}
