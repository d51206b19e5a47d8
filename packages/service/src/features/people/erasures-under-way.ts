import { setTimeout as delay } from "node:timers/promises";
import { emailKey, phoneDigits } from "@gatehouse-parking/contract";
import type { PersonErased } from "@gatehouse-parking/contract/console";
import type pg from "pg";
import { invalidInput, conflictError, UserError } from "../../core/refusals/user-error.js";
import { deletePerson, hashOf, nothingDeleted, type PersonDeletion } from "./delete-person.js";
import { ErasedByAnother } from "./erasure-lease.js";
import { findReported } from "./reported-deletion.js";
import { requirePerson, type Person, type PersonQuery } from "./person.js";

/**
 * How many run at once, for all organizations together. Each holds a connection of the console for most of its time.
 */
const maxAtOnce = 3;
const busyRetrySeconds = 30;
/** An answer comes within this time, before a browser or a proxy gives up. */
const answeredWithinMs = 20_000;

/** What the person is known by, typed again. */
export interface Confirmation {
  email?: string;
  phone?: string;
}

interface Running {
  organizationId: string;
  deletion: Promise<PersonDeletion>;
  /** Whether somebody was told that it goes on; if it fails then, the log says so. */
  isOnItsOwn: boolean;
}

/**
 * Erasures that people of the console asked for. One takes as long as all that the organization's runs and uploads noted
 * takes to read, which may be longer than a browser waits: then it goes on by itself, and whoever asks for the same
 * again waits for it. Should the process end, the same again completes it, on any instance.
 */
export class ErasuresUnderWay {
  readonly #pool: pg.Pool;
  readonly #answeredWithinMs: number;
  readonly #running = new Map<string, Running>();

  constructor(pool: pg.Pool, patienceMs = answeredWithinMs) {
    this.#pool = pool;
    this.#answeredWithinMs = patienceMs;
  }

  async erase(
    query: PersonQuery & {
      confirmation: Confirmation;
      isAskedAgain?: boolean | undefined;
      /** The pool of the transaction that decides whether there is an erasure. */
      beginIn?: pg.Pool;
    },
    onFailure: (error: unknown) => void,
  ): Promise<PersonErased> {
    const person = await requirePerson(this.#pool, query);
    requireConfirmation(person, query.confirmation);
    const name = `${person.organizationId} ${hashOf(person).toString("hex")}`;
    // Whoever was told that it goes on wants to know what it has done, and not to begin once more.
    if (query.isAskedAgain && !this.#running.has(name)) {
      const reported = await findReported(this.#pool, person);
      if (reported) return { isDone: true, ...reported };
    }
    const running = this.#running.get(name) ?? this.#start(name, query);
    const answered = new AbortController();
    const patience = this.#patience(answered.signal);
    try {
      const deletion = await Promise.race([running.deletion, patience]);
      if (deletion) return { isDone: true, ...deletion };
    } catch (error) {
      if (!(error instanceof ErasedByAnother)) throw error;
      await patience;
      return { isDone: false, ...nothingDeleted };
    } finally {
      answered.abort();
    }
    if (!running.isOnItsOwn)
      running.deletion.catch((error: unknown) => {
        if (!(error instanceof ErasedByAnother)) onFailure(error);
      });
    running.isOnItsOwn = true;
    return { isDone: false, ...nothingDeleted };
  }

  /** One of an organization at a time, so that none takes the place of another's. */
  #start(name: string, query: PersonQuery & { beginIn?: pg.Pool }): Running {
    const others = [...this.#running.values()];
    if (others.some(({ organizationId }) => organizationId === query.organizationId))
      throw conflictError("Somebody else is being erased at this moment. Try again when that has ended");
    // Whose they are is nobody's business.
    if (others.length >= maxAtOnce) throw new UserError("unavailable", [], { retryAfter: busyRetrySeconds });
    const deletion = deletePerson(this.#pool, query).finally(() => this.#running.delete(name));
    const running = { organizationId: query.organizationId, deletion, isOnItsOwn: false };
    this.#running.set(name, running);
    return running;
  }

  async #patience(signal: AbortSignal): Promise<undefined> {
    await delay(this.#answeredWithinMs, undefined, { signal }).catch(() => undefined);
  }
}

/** Both, if both were given: whatever is found under either of them will be gone. */
function requireConfirmation({ email, phone }: Person, typed: Confirmation): void {
  if (email !== undefined && emailKey(typed.email ?? "") !== email)
    throw invalidInput("emailConfirmation must be the person's e-mail address, typed again");
  if (phone !== undefined && phoneDigits(typed.phone ?? "") !== phone)
    throw invalidInput("phoneConfirmation must be the person's phone number, typed again");
}
