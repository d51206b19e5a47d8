import { setTimeout as delay } from "node:timers/promises";
import { emailKey, phoneDigits } from "@gatehouse-parking/contract";
import type { PersonErased } from "@gatehouse-parking/contract/console";
import type pg from "pg";
import { invalidInput, conflictError, UserError } from "../../core/refusals/user-error.js";
import { erasePerson, type ErasureQuery } from "./erase-person.js";
import { AlreadyErasing, findRecentResult, nothingErased, type ErasureCounts } from "./erasure-state.js";
import { hashOf, requirePerson, type Person } from "./person.js";

/** For all organizations together. An erasure uses a connection of the console's pool most of the time. */
const maxRunning = 3;
const busyRetrySeconds = 30;
/** Shorter than the timeouts of browsers and proxies. */
const answerTimeoutMs = 20_000;

/** The person's address and number, typed a second time. */
export interface Confirmation {
  email?: string;
  phone?: string;
}

interface ConfirmedQuery extends ErasureQuery {
  confirmation: Confirmation;
  /** The page repeats its request to learn the result of an erasure that took too long to answer. */
  isAskedAgain?: boolean | undefined;
}

interface RunningErasure {
  organizationId: string;
  counts: Promise<ErasureCounts>;
  /** Whether a failure is logged, because a request has been answered before the erasure ended. */
  isLogged: boolean;
}

/**
 * Erasures that users of the console have started on this instance. An erasure reads everything that the organization's imports
 * and uploads have stored, which may take longer than a browser waits. It then continues in the background, and a repeated request
 * waits for it. If the process ends, a repeated request completes the erasure on any instance.
 */
export class RunningErasures {
  readonly #pool: pg.Pool;
  readonly #answerTimeoutMs: number;
  readonly #running = new Map<string, RunningErasure>();

  constructor(pool: pg.Pool, timeoutMs = answerTimeoutMs) {
    this.#pool = pool;
    this.#answerTimeoutMs = timeoutMs;
  }

  async erase(query: ConfirmedQuery, logFailure: (error: unknown) => void): Promise<PersonErased> {
    const person = await requirePerson(this.#pool, query);
    requireConfirmation(person, query.confirmation);
    const name = `${person.organizationId} ${hashOf(person).toString("hex")}`;
    if (query.isAskedAgain && !this.#running.has(name)) {
      const counts = await findRecentResult(this.#pool, person);
      if (counts) return { isDone: true, ...counts };
    }
    const running = this.#running.get(name) ?? this.#start(name, query);
    const answered = new AbortController();
    const timeout = delay(this.#answerTimeoutMs, undefined, { signal: answered.signal }).catch(
      () => undefined,
    );
    try {
      const counts = await Promise.race([running.counts, timeout]);
      if (counts) return { isDone: true, ...counts };
    } catch (error) {
      if (!(error instanceof AlreadyErasing)) throw error;
      // The page asks again. The delay keeps it from polling constantly.
      await timeout;
      return { isDone: false, ...nothingErased };
    } finally {
      answered.abort();
    }
    if (!running.isLogged)
      running.counts.catch((error: unknown) => {
        if (!(error instanceof AlreadyErasing)) logFailure(error);
      });
    running.isLogged = true;
    return { isDone: false, ...nothingErased };
  }

  /** One per organization at a time, so that no organization uses all slots. */
  #start(name: string, query: ErasureQuery): RunningErasure {
    const others = [...this.#running.values()];
    if (others.some(({ organizationId }) => organizationId === query.organizationId))
      throw conflictError("Another person is being erased. Try again when that erasure has finished");
    // Without details: the others are erasures of other organizations.
    if (others.length >= maxRunning) throw new UserError("unavailable", [], { retryAfter: busyRetrySeconds });
    const counts = erasePerson(this.#pool, query).finally(() => this.#running.delete(name));
    const running = { organizationId: query.organizationId, counts, isLogged: false };
    this.#running.set(name, running);
    return running;
  }
}

/** If both are given, both must be confirmed: everything under either of them is erased. */
function requireConfirmation({ email, phone }: Person, typed: Confirmation): void {
  if (email !== undefined && emailKey(typed.email ?? "") !== email)
    throw invalidInput("emailConfirmation must repeat the person's email address");
  if (phone !== undefined && phoneDigits(typed.phone ?? "") !== phone)
    throw invalidInput("phoneConfirmation must repeat the person's phone number");
}
