import type pg from "pg";
import type { Actor } from "../../core/audit/audit.js";
import type { ImportObserver } from "../../core/imports/run.js";
import { InvalidInput } from "../../core/refusals/input-errors.js";
import { withDemoLock } from "./demo-lock.js";
import { resetDemo } from "./reset-demo.js";
import { fillDemo } from "./sample/fill-demo.js";

/** Puts the demo organization back to the month that it begins with. */
export async function resetToSampleData(
  pool: pg.Pool,
  input: {
    organizationId: string;
    actor: Actor;
    observers: readonly ImportObserver[];
    /** The pool of the transaction that decides whether there is a reset. */
    emptyIn?: pg.Pool;
  },
): Promise<Record<string, number>> {
  const deleted = await withDemoLock(pool, async () => {
    const emptied = await resetDemo(input.emptyIn ?? pool, input);
    await fillDemo(pool, input);
    return emptied;
  });
  if (!deleted) throw new InvalidInput("The demo organization is being reset already. Wait a moment");
  return deleted;
}
