import type { Answer, Sending } from "../requests.js";
import type { Tenant } from "./fleet.js";

/** Sends a request as a client at this address; by default at the same address as before. */
export type Ask = (pathname: string, sending: Sending, localAddress?: string) => Promise<Answer>;

export interface SteadyLoad {
  /** Stops the load, and returns the answers and all failures. */
  end(): Promise<{ answered: number; failed: string[] }>;
}

const guestsInNetwork = 250;

/**
 * Imports, reads and leads, two clients of each, one request after the other without a pause. Leads come from
 * changing addresses of the network (`127.3` for 127.3.0.0/16), so that none reaches its limit.
 */
export function startLoad(ask: Ask, tenant: Tenant, network: string): SteadyLoad {
  const over = new AbortController();
  const failed: string[] = [];
  let answered = 0;
  let accountNumber = 0;
  let guest = 0;

  const kinds: Record<string, () => Promise<Answer>> = {
    import() {
      const accounts = Array.from({ length: 5 }, () => ({
        tpReferenceId: `load-${network}-${(accountNumber += 1)}`,
        name: "Acme",
      }));
      return ask("/integrations/accounts", { key: tenant.key, body: { accounts } });
    },
    read: () => ask("/integrations/locations", { key: tenant.key }),
    lead() {
      guest += 1;
      const address = `${network}.${Math.floor(guest / guestsInNetwork)}.${1 + (guest % guestsInNetwork)}`;
      const body = { email: "jo@example.com", locationUuid: tenant.locationUuid };
      return ask("/lead/submit", { key: tenant.key, body, agent: false }, address);
    },
  };

  async function keepAsking(kind: string, request: () => Promise<Answer>): Promise<void> {
    while (!over.signal.aborted) {
      try {
        const { status, text } = await request();
        answered += 1;
        if (status !== 200) failed.push(`${kind}: ${status} ${text.slice(0, 200)}`);
      } catch (error) {
        failed.push(`${kind}: ${(error as Error).message}`);
      }
    }
  }

  const clients = Object.entries(kinds).flatMap(([kind, request]) =>
    [1, 2].map(() => keepAsking(kind, request)),
  );
  return {
    async end() {
      over.abort();
      await Promise.all(clients);
      return { answered, failed };
    },
  };
}
