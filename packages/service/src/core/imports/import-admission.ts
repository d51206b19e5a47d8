import type { FastifyReply, FastifyRequest } from "fastify";
import { untilAnswered } from "../operations/answer-lifetime.js";
import { jsonBytes } from "../operations/body.js";
import { KeyedSemaphore } from "../scheduling/keyed-semaphore.js";
import type { ImportMetrics } from "../telemetry/metrics.js";

const queueLimits = { maxWaiting: 1_000, maxWaitMs: 30_000 };
/**
 * Bodies in memory, from their reception to their answer, per organization and overall; small and large ones separately. A
 * third of the slots is reserved for organizations that have none.
 */
const bodyLimits = { perKey: 3, overall: 24, forNewcomers: 8, ...queueLimits };
/** Processing a batch takes several times the memory of its body, so only a few large ones run at a time. */
const heavyBodyBytes = 1024 * 1024;
const heavyBodyLimits = { perKey: 1, overall: 3, ...queueLimits };

/** Bounds the memory for the bodies of imports, both of requests and of uploaded files. */
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

  /** Makes the body wait for a slot before it is received, so that waiting bodies take no memory. */
  admit(organizationId: string, reply: FastifyReply): void {
    const slot = new BodySlot(reply);
    this.#slots.set(reply.request, slot);
    reply.request.bodyPlaces = {
      forSmall: () => slot.acquire(this.#smallBodies, organizationId),
      forLarge: () => slot.acquire(this.#largeBodies, organizationId),
    };
  }

  /** Resolves when an admitted request may be processed, with a function to call afterwards. */
  async begin(organizationId: string, request: FastifyRequest): Promise<() => void> {
    const isHeavy = jsonBytes(request).length > heavyBodyBytes;
    const slot = this.#slots.get(request);
    slot?.beginProcessing();
    try {
      const release = isHeavy ? await this.#heavyBodies.acquire(organizationId, slot?.gone) : undefined;
      return () => {
        release?.();
        slot?.endProcessing();
      };
    } catch (error) {
      slot?.endProcessing();
      throw error;
    }
  }

  /** The same for a batch from an uploaded file. */
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
 * The slot of one body. It is released when the request is answered or the client disconnects, but never while the body is
 * being processed and in memory.
 */
class BodySlot {
  /** Aborted when the request is answered or the client disconnects. */
  readonly gone: AbortSignal;
  #release: (() => void) | undefined;
  #isProcessing = false;

  constructor(reply: FastifyReply) {
    this.gone = untilAnswered(reply);
    this.gone.addEventListener("abort", () => this.#releaseIfDone(), { once: true });
  }

  async acquire(semaphore: KeyedSemaphore, organizationId: string): Promise<void> {
    this.#release = await semaphore.acquire(organizationId, this.gone);
    this.#releaseIfDone();
  }

  beginProcessing(): void {
    this.#isProcessing = true;
  }

  endProcessing(): void {
    this.#isProcessing = false;
    this.#releaseIfDone();
  }

  #releaseIfDone(): void {
    if (this.gone.aborted && !this.#isProcessing) this.#release?.();
  }
}
