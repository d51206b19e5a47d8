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
  /** The `resume` of a mark: only what follows it. */
  resume?: string | undefined;
}

export interface ExportLimits {
  /** What an organization stores. */
  sections: readonly Section[];
  /** On one instance; as many connections are kept for it. */
  atOnce: number;
  /** A snapshot keeps what is deleted meanwhile from being cleared away, in the whole database. */
  maxMs: number;
  /** An export that has waited for its reader for so long gives its place to another organization that asks for one. */
  maxWaitMs?: number;
  linesPerMark?: number;
}

const usualMaxWaitMs = 2 * 60_000;

/**
 * Takes everything of an organization out, as one consistent moment of it. Each export has a connection of a pool of its own
 * and reads from one snapshot, page by page, no faster than its reader takes it; so it stands in nobody's way but that of other
 * exports, of which there are few at a time, and one of an organization.
 */
export class ExportQueue {
  readonly #pool: pg.Pool;
  readonly #limits: ExportLimits;
  readonly #open = new Set<Promise<void>>();
  readonly #places = new Map<string, Place>();

  constructor(pool: pg.Pool, limits: ExportLimits) {
    this.#pool = pool;
    this.#limits = limits;
  }

  /** What is refused is refused here; then the audit log knows of it, and the file begins. */
  async open(request: ExportRequest): Promise<Readable> {
    const { sections } = this.#limits;
    const position = request.resume === undefined ? undefined : positionFor(request, sections);
    const place = await this.#enter(request.organizationId);
    let snapshot: Snapshot | undefined;
    try {
      await requireOrganization(this.#pool, request.organizationId);
      await this.#audit(request, "organization.export", position ? { isContinued: true } : {});
      snapshot = await openSnapshot(this.#pool, request.organizationId);
      const { client } = snapshot;
      const begun = position
        ? await continueExport(client, position, sections)
        : await beginExport(client, request.organizationId, sections);
      return this.#file(request, snapshot, begun, place);
    } catch (error) {
      await snapshot?.close(error as Error);
      place.leave();
      throw error;
    }
  }

  /** Whoever waits for an export of their own organization takes no place from the others. */
  async #enter(organizationId: string): Promise<Place> {
    const isOver = new Promise<boolean>((resolve) => {
      setTimeout(resolve, lockPatienceMs, true).unref();
    });
    for (let own; (own = this.#places.get(organizationId));)
      if ((await Promise.race([own.left, isOver])) === true) throw underWay();
    if (this.#isFull) await Promise.race([this.#takeFromSlowest(), isOver]);
    if (this.#isFull)
      throw new Refused("overloaded", {
        details: ["As many exports as this instance makes at a time are under way. Try again later"],
      });
    const place = new Place(() => this.#places.delete(organizationId));
    this.#places.set(organizationId, place);
    return place;
  }

  get #isFull(): boolean {
    return this.#places.size >= this.#limits.atOnce;
  }

  /** However slowly some take their files, others come to theirs. */
  async #takeFromSlowest(): Promise<void> {
    const { maxWaitMs = usualMaxWaitMs } = this.#limits;
    const [slowest] = [...this.#places.values()].toSorted((one, other) => other.waitedMs - one.waitedMs);
    if (slowest === undefined || slowest.waitedMs < maxWaitMs) return;
    slowest.breakOff("Another organization waits, and this export has waited long for its reader");
    await slowest.left;
  }

  /** When the files that are closed are over with: their connections are free, and the audit log knows how they ended. */
  async settled(): Promise<void> {
    await Promise.all(this.#open);
  }

  /** It ends when it is closed: read to its end, given up by its reader, or broken off because it takes too long. */
  #file(request: ExportRequest, snapshot: Snapshot, { lines, position }: Begun, place: Place): Readable {
    const { sections, linesPerMark, maxMs } = this.#limits;
    let ended: Promise<void> | undefined;
    const end = (isWhole: boolean, failure?: Error): Promise<void> =>
      (ended ??= this.#end(request, snapshot, { isWhole, failure }).finally(() => place.leave()));
    async function* pieces(): AsyncGenerator<string> {
      yield lines;
      yield* exportLines(snapshot.client, position, sections, linesPerMark);
      await end(true);
    }
    const file = Readable.from(place.timed(pieces()), { highWaterMark: 1 });
    place.breakOff = (why) => file.destroy(new Error(`${why}. It can be continued from its last mark`));
    const timer = setTimeout(() => place.breakOff("The export took longer than it may"), maxMs).unref();
    let failure: Error | undefined;
    file.once("error", (error) => (failure = error));
    const over = new Promise<void>((resolve) => file.once("close", resolve))
      .then(() => clearTimeout(timer))
      .then(() => end(false, failure))
      .finally(() => this.#open.delete(over));
    this.#open.add(over);
    return file;
  }

  /** That it was begun stands in the audit log already; one whose end does not is not known to be whole. */
  async #end(
    request: ExportRequest,
    snapshot: Snapshot,
    { isWhole, failure }: { isWhole: boolean; failure: Error | undefined },
  ): Promise<void> {
    try {
      await snapshot.close(failure);
      await this.#audit(request, "organization.exported", { isWhole });
    } catch {
      // The database is gone, and with it the snapshot.
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

/** One of the few exports that an instance makes at a time. */
class Place {
  /** Resolves when it is free. */
  readonly left: Promise<void>;
  leave: () => void = () => undefined;
  /** There is something to break off once the file has begun. */
  breakOff: (why: string) => void = () => undefined;
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

  /** How long its reader has let it wait, all in all. */
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

/** How long to wait for an export to end whose reader gave up and asks for the rest at once. */
const lockPatienceMs = 2_000;
const underWay = () => conflictError("An export of this organization is under way. Wait until it has ended");

interface Snapshot {
  client: pg.PoolClient;
  close(error?: Error): Promise<void>;
}

/** One moment of the database, and the right to export this organization, which ends with it on whatever instance it is. */
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
    // Moments are told in UTC.
    await client.query("set local timezone = 'UTC'");
    await client.query(`set local lock_timeout = ${lockPatienceMs}`);
    await client.query("select pg_advisory_xact_lock(hashtextextended('gatehouse export ' || $1, 0))", [
      organizationId,
    ]);
    return { client, close };
  } catch (error) {
    await close(error as Error);
    throw isLockTimeout(error) ? underWay() : error;
  }
}
