import { permissions } from "@gatehouse-parking/contract";
import type pg from "pg";
import { nowMs } from "../../core/clock.js";
import { createApiKey, type ApiKeyInput, type NewApiKey } from "../../core/organizations/api-keys.js";

/** The keys that samples are sent with. No key is stored as it is, so the sandbox makes its own, for minutes only. */
export interface SandboxKeys {
  full: NewApiKey;
  limited: NewApiKey;
}

const lifetimeMs = 5 * 60_000;
/** A key that is about to expire is not used any more. */
const marginMs = 30_000;

/** Makes a pair when it is first needed and uses it until it is about to expire. */
export function sandboxKeys(): (
  pool: pg.Pool,
  organizationId: string,
  actor: ApiKeyInput["actor"],
) => Promise<SandboxKeys> {
  const made = new Map<string, { keys: SandboxKeys; untilMs: number }>();
  return async (pool, organizationId, actor) => {
    const known = made.get(organizationId);
    if (known && performance.now() < known.untilMs) return known.keys;
    const common = { organizationId, expiresAt: new Date(nowMs() + lifetimeMs), actor };
    const keys = {
      full: await createApiKey(pool, { ...common, name: "Sandbox", permissions }),
      limited: await createApiKey(pool, {
        ...common,
        name: "Sandbox, read-only",
        permissions: ["imports:read"],
      }),
    };
    made.set(organizationId, { keys, untilMs: performance.now() + lifetimeMs - marginMs });
    return keys;
  };
}
