import type { FastifyReply, FastifyRequest } from "fastify";
import { untilAnswered } from "../operations/answer-lifetime.js";
import { jsonBytes } from "../operations/body.js";
import { KeyedSemaphore } from "../scheduling/keyed-semaphore.js";
import type { ImportMetrics } from "../telemetry/metrics.js";

const queueLimits = { maxWaiting: 1_000, maxWaitMs: 30_000 };
/**
 * Bodies of one organization, and of all, that are in memory, from their reception to their answer; small ones and large ones
 * each. A third of the places is for organizations that have none.
 */
const bodyLimits = { perKey: 3, overall: 24, forNewcomers: 8, ...queueLimits };
/** While it is worked on, a batch takes several times the memory of its body, so of large ones only few are. */
const heavyBodyBytes = 1024 * 1024;
const heavyBodyLimits = { perKey: 1, overall: 3, ...queueLimits };

/** Bounds the memory that the bodies of imports take, however many arrive, by requests and by uploads in the console. */
export class ImportAdmission {
  readonly #smallBodies = new KeyedSemaphore(bodyLimits);
  readonly #largeBodies = new KeyedSemaphore(bodyLimits);
  readonly #heavyBodies = new KeyedSemaphore(heavyBodyLimits);
  readonly #slots = new WeakMap<FastifyRequest, BodySlot>();

  constructor(metrics: Pick<ImportMetrics, "watchSlots">) {
    metrics.watchSlots("small bodies", this.#smallBodies);
    metrics.watchSlots("large bodies", this.#largeBodies);
    metrics.watchSlots("heavy bodies", this.#heavyBodies);
  }

  /**
   * Says where the body of a request waits for a slot. Before it is read: one that sends many large batches at once waits
   * with its bytes still on the wire, instead of filling the memory that the others need.
   */
  admit(organizationId: string, reply: FastifyReply): void {
    const slot = new BodySlot(reply);
    this.#slots.set(reply.request, slot);
    reply.request.bodyPlaces = {
      forSmall: () => slot.acquire(this.#smallBodies, organizationId),
      forLarge: () => slot.acquire(this.#largeBodies, organizationId),
    };
  }

  /** Resolves when the body of an admitted request may be worked on, with the function that ends the work. */
  async begin(organizationId: string, request: FastifyRequest): Promise<() => void> {
    const isHeavy = jsonBytes(request).length > heavyBodyBytes;
    const slot = this.#slots.get(request);
    slot?.beginWork();
    try {
      const release = isHeavy ? await this.#heavyBodies.acquire(organizationId, slot?.gone) : undefined;
      return () => {
        release?.();
        slot?.endWork();
      };
    } catch (error) {
      slot?.endWork();
      throw error;
    }
  }

  /** The same for a body that the service makes from a file: it waits for its slot among all others. */
  async reserve(organizationId: string, bytes: number): Promise<() => void> {
    const release = await this.#largeBodies.acquire(organizationId);
    if (bytes <= heavyBodyBytes) return release;
    try {
      const releaseHeavy = await this.#heavyBodies.acquire(organizationId);
      return () => {
        releaseHeavy();
        release();
      };
    } catch (error) {
      release();
      throw error;
    }
  }
}

/**
 * The slot of one body. It is released when the request is answered or its client has gone, but never while the body is being
 * worked on: what is in memory counts, whether or not the client still waits for the answer.
 */
class BodySlot {
  /** Aborted when the request is answered, or its client has gone. */
  readonly gone: AbortSignal;
  #release: (() => void) | undefined;
  #isAtWork = false;

  constructor(reply: FastifyReply) {
    this.gone = untilAnswered(reply);
    this.gone.addEventListener("abort", () => this.#releaseIfDone(), { once: true });
  }

  async acquire(semaphore: KeyedSemaphore, organizationId: string): Promise<void> {
    this.#release = await semaphore.acquire(organizationId, this.gone);
    this.#releaseIfDone();
  }

  beginWork(): void {
    this.#isAtWork = true;
  }

  endWork(): void {
    this.#isAtWork = false;
    this.#releaseIfDone();
  }

  #releaseIfDone(): void {
    if (this.gone.aborted && !this.#isAtWork) this.#release?.();
  }
}
