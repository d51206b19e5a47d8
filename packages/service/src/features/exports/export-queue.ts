import { Readable } from "node:stream";
import type pg from "pg";
import { writeAudit, type Actor } from "../../core/audit/audit.js";
import { isLockTimeout } from "../../core/database/sqlstate.js";
import { transaction } from "../../core/database/transaction.js";
import { requireOrganization } from "../../core/organizations/organizations.js";
import { invalidInput, conflictError, isUserError } from "../../core/refusals/user-error.js";
import type { Section } from "../../core/stored-tables/section.js";
import { Refused } from "../../core/refusals/refused.js";
import { beginExport, continueExport, type Begun } from "./begin-export.js";
import { exportLines } from "./export-lines.js";
import { readPosition, type Position } from "./position.js";

export interface ExportRequest {
  organizationId: string;
  actor: Actor;
  /** The `resume` value of a mark: the export continues after it. */
  resume?: string | undefined;
}

export interface ExportLimits {
  /** The data of an organization. */
  sections: readonly Section[];
  /** The number of concurrent exports per instance. Each has its own connection. */
  atOnce: number;
  /** Limited, because an open snapshot keeps VACUUM from removing dead rows in the whole database. */
  maxMs: number;
  /** An export that has waited this long for its reader is aborted if another organization needs its slot. */
  maxWaitMs?: number;
  linesPerMark?: number;
}

const defaultMaxWaitMs = 2 * 60_000;

/**
 * Exports all data of an organization from one snapshot. Each export uses a connection of a separate pool and
 * reads page by page, as fast as its reader. An instance runs a few exports at a time, and one per
 * organization.
 */
export class ExportQueue {
  readonly #pool: pg.Pool;
  readonly #limits: ExportLimits;
  readonly #open = new Set<Promise<void>>();
  readonly #slots = new Map<string, Slot>();

  constructor(pool: pg.Pool, limits: ExportLimits) {
    this.#pool = pool;
    this.#limits = limits;
  }

  /** Throws if the export is rejected. Otherwise it writes the audit log and starts the file. */
  async open(request: ExportRequest): Promise<Readable> {
    const { sections } = this.#limits;
    const position = request.resume === undefined ? undefined : positionFor(request, sections);
    const slot = await this.#enter(request.organizationId);
    let snapshot: Snapshot | undefined;
    try {
      await requireOrganization(this.#pool, request.organizationId);
      await this.#audit(request, "organization.export", position ? { isContinued: true } : {});
      snapshot = await openSnapshot(this.#pool, request.organizationId);
      const { client } = snapshot;
      const begun = position
        ? await continueExport(client, position, sections)
        : await beginExport(client, request.organizationId, sections);
      return this.#file(request, snapshot, begun, slot);
    } catch (error) {
      await snapshot?.close(error as Error);
      slot.leave();
      throw error;
    }
  }

  /** Waits for another export of the same organization without taking a slot. */
  async #enter(organizationId: string): Promise<Slot> {
    const timeout = new Promise<boolean>((resolve) => {
      setTimeout(resolve, lockTimeoutMs, true).unref();
    });
    for (let own; (own = this.#slots.get(organizationId));)
      if ((await Promise.race([own.left, timeout])) === true) throw alreadyRunning();
    if (this.#isFull) await Promise.race([this.#abortSlowest(), timeout]);
    if (this.#isFull)
      throw new Refused("overloaded", {
        details: ["This instance already runs the maximum number of exports. Try again later"],
      });
    const slot = new Slot(() => this.#slots.delete(organizationId));
    this.#slots.set(organizationId, slot);
    return slot;
  }

  get #isFull(): boolean {
    return this.#slots.size >= this.#limits.atOnce;
  }

  /** Aborts the export whose reader is slowest. */
  async #abortSlowest(): Promise<void> {
    const { maxWaitMs = defaultMaxWaitMs } = this.#limits;
    const [slowest] = [...this.#slots.values()].toSorted((one, other) => other.waitedMs - one.waitedMs);
    if (slowest === undefined || slowest.waitedMs < maxWaitMs) return;
    slowest.abort("Another organization is waiting, and this export has waited too long for its reader");
    await slowest.left;
  }

  /** Resolves when all closed files have released their connections and have been written to the audit log. */
  async settled(): Promise<void> {
    await Promise.all(this.#open);
  }

  /** The export ends when the file is closed: at its end, by its reader, or at the time limit. */
  #file(request: ExportRequest, snapshot: Snapshot, { lines, position }: Begun, slot: Slot): Readable {
    const { sections, linesPerMark, maxMs } = this.#limits;
    let ended: Promise<void> | undefined;
    const end = (isWhole: boolean, failure?: Error): Promise<void> =>
      (ended ??= this.#end(request, snapshot, { isWhole, failure }).finally(() => slot.leave()));
    async function* pieces(): AsyncGenerator<string> {
      yield lines;
      yield* exportLines(snapshot.client, position, sections, linesPerMark);
      await end(true);
    }
    const file = Readable.from(slot.timed(pieces()), { highWaterMark: 1 });
    slot.abort = (why) => file.destroy(new Error(`${why}. Continue it from its last mark`));
    const timer = setTimeout(() => slot.abort("The export exceeded its time limit"), maxMs).unref();
    let failure: Error | undefined;
    file.once("error", (error) => (failure = error));
    const over = new Promise<void>((resolve) => file.once("close", resolve))
      .then(() => clearTimeout(timer))
      .then(() => end(false, failure))
      .finally(() => this.#open.delete(over));
    this.#open.add(over);
    return file;
  }

  /** The audit log already has the start. An export without a logged end may be incomplete. */
  async #end(
    request: ExportRequest,
    snapshot: Snapshot,
    { isWhole, failure }: { isWhole: boolean; failure: Error | undefined },
  ): Promise<void> {
    try {
      await snapshot.close(failure);
      await this.#audit(request, "organization.exported", { isWhole });
    } catch {
      // The database is unavailable, which also ends the snapshot.
    }
  }

  #audit(
    { organizationId, actor }: ExportRequest,
    action: string,
    detail: Record<string, unknown>,
  ): Promise<void> {
    return transaction(this.#pool, (client) =>
      writeAudit(client, { organizationId, actor, action, subjectId: organizationId, detail }),
    );
  }
}

/** The slot of a running export. */
class Slot {
  /** Resolves when the slot is free. */
  readonly left: Promise<void>;
  leave: () => void = () => undefined;
  abort: (why: string) => void = () => undefined;
  #waitedMs = 0;
  #waitsSinceMs: number | undefined;

  constructor(free: () => void) {
    this.left = new Promise((resolve) => {
      this.leave = () => {
        free();
        resolve();
      };
    });
  }

  /** The total time the export has waited for its reader. */
  get waitedMs(): number {
    const nowMs = performance.now();
    return this.#waitedMs + nowMs - (this.#waitsSinceMs ?? nowMs);
  }

  async *timed(pieces: AsyncIterable<string>): AsyncGenerator<string> {
    for await (const piece of pieces) {
      this.#waitsSinceMs = performance.now();
      yield piece;
      this.#waitedMs = this.waitedMs;
      this.#waitsSinceMs = undefined;
    }
  }
}

function positionFor({ organizationId, resume = "" }: ExportRequest, sections: readonly Section[]): Position {
  const position = readPosition(resume, sections);
  if (position.organizationId !== organizationId)
    throw invalidInput("resume belongs to the export of another organization");
  return position;
}

/** How long to wait for an export whose reader disconnected and continues it immediately. */
const lockTimeoutMs = 2_000;
const alreadyRunning = () =>
  conflictError("An export of this organization is already running. Wait until it has ended");

interface Snapshot {
  client: pg.PoolClient;
  close(error?: Error): Promise<void>;
}

/**
 * Opens a snapshot and takes the organization's export lock, which all instances share. The lock ends with
 * the snapshot.
 */
async function openSnapshot(pool: pg.Pool, organizationId: string): Promise<Snapshot> {
  const client = await pool.connect();
  let isOpen = true;
  const close = async (error?: Error): Promise<void> => {
    if (!isOpen) return;
    isOpen = false;
    let broken = isUserError(error, "conflict") ? undefined : error;
    try {
      await client.query("rollback");
    } catch (rollbackError) {
      broken = rollbackError as Error;
    }
    client.release(broken);
  };
  try {
    await client.query("begin");
    await client.query("set transaction isolation level repeatable read read only");
    await client.query("set local timezone = 'UTC'");
    await client.query(`set local lock_timeout = ${lockTimeoutMs}`);
    await client.query("select pg_advisory_xact_lock(hashtextextended('gatehouse export ' || $1, 0))", [
      organizationId,
    ]);
    return { client, close };
  } catch (error) {
    await close(error as Error);
    throw isLockTimeout(error) ? alreadyRunning() : error;
  }
}
