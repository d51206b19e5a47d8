import type { IncomingMessage } from "node:http";
import fastifyPlugin from "fastify-plugin";
import { Refused } from "../refusals/refused.js";
import { shortenSlices } from "../scheduling/time-slice.js";

/** Bodies up to this size need no slot: the connection's buffers hold as much anyway. */
export const smallBodyBytes = 64 * 1024;
/** The minimum speed for a large body: 5 MB within a minute is five times as fast. */
export const leastPace = { bytes: 80 * 1024, everyMs: 5_000 };
/** The minimum speed for the first 64 KB. A mobile network that loses packets is faster. */
export const leastSmallPace = { bytes: 1024, everyMs: 15_000 };
/** Memory for all bodies without a slot, for all connections together. */
export const maxUnplacedBytes = 64 * 1024 * 1024;
const minBufferBytes = 512;

/** Limits how many bodies are in memory at once. */
export interface BodyPlaces {
  /** Resolves when the rest of a large body may be received. */
  forLarge(): Promise<void>;
  /** Resolves when a small body, which has arrived, may be processed. */
  forSmall(): Promise<void>;
}

export interface ReceiveOptions {
  limitBytes: number;
  places: BodyPlaces | null;
  unplaced: UnplacedBodies;
}

/**
 * Receives a body. A small one gets its slot after it has arrived, so that slow clients hold no slot. The rest of a
 * large one stays in the socket until it has a slot.
 */
export async function receive(payload: IncomingMessage, options: ReceiveOptions): Promise<Buffer> {
  const body = await new Reception(payload, options).finished;
  if (body.length <= smallBodyBytes) await options.places?.forSmall();
  return body.bytes;
}

class Reception {
  readonly finished: Promise<BodyBuffer>;
  readonly #payload: IncomingMessage;
  readonly #options: ReceiveOptions;
  readonly #body: BodyBuffer;
  #settle!: { resolve(body: BodyBuffer): void; reject(error: unknown): void };
  #pace: NodeJS.Timeout | undefined;
  #lengthBefore = 0;
  #isOver = false;
  #isUnplaced = true;

  constructor(payload: IncomingMessage, options: ReceiveOptions) {
    this.#payload = payload;
    this.#options = options;
    const declaredBytes = Number(payload.headers["content-length"] ?? options.limitBytes);
    this.#body = new BodyBuffer(Math.min(declaredBytes, options.limitBytes));
    this.finished = new Promise((resolve, reject) => (this.#settle = { resolve, reject }));
    if (payload.destroyed) this.#abort();
    else this.#begin();
  }

  #begin(): void {
    this.#pace = setTimeout(this.#checkSmallPace, leastSmallPace.everyMs);
    this.#payload.on("data", this.#take).on("end", this.#complete).on("error", this.#abort);
  }

  /** Other bodies need the memory. */
  giveUp(): void {
    this.#end(new Refused("overloaded"));
  }

  readonly #take = (piece: Buffer): void => {
    const wasLarge = this.#isLarge;
    if (this.#body.length + piece.length > this.#options.limitBytes)
      return this.#end(new Refused("bodyTooLarge"));
    this.#body.append(piece);
    if (this.#isUnplaced) this.#options.unplaced.resize(this, this.#body.capacity);
    if (!this.#isOver && this.#isLarge && !wasLarge) this.#becomeLarge();
  };

  get #isLarge(): boolean {
    return this.#body.length > smallBodyBytes;
  }

  #becomeLarge(): void {
    clearTimeout(this.#pace);
    const { places } = this.#options;
    if (!places) return this.#keepPace();
    this.#payload.pause();
    this.#isUnplaced = false;
    this.#options.unplaced.remove(this);
    places.forLarge().then(this.#goOn, (error: unknown) => this.#end(error));
  }

  readonly #goOn = (): void => {
    // The client may have disconnected while it waited.
    if (this.#isOver) return;
    this.#keepPace();
    this.#payload.resume();
  };

  #keepPace(): void {
    this.#lengthBefore = this.#body.length;
    // After a pause of the whole process, bytes that arrived meanwhile are counted first.
    this.#pace = setInterval(() => setImmediate(() => this.#checkPace(leastPace.bytes)), leastPace.everyMs);
  }

  readonly #checkSmallPace = (): void => {
    setImmediate(() => {
      if (this.#isOver || this.#isLarge) return;
      this.#checkPace(leastSmallPace.bytes);
      if (!this.#isOver) this.#pace?.refresh();
    });
  };

  #checkPace(leastBytes: number): void {
    if (this.#body.length - this.#lengthBefore < leastBytes) this.#end(new Refused("requestTimeout"));
    this.#lengthBefore = this.#body.length;
  }

  readonly #complete = (): void => this.#end();

  /** The client disconnected before the body was complete. */
  readonly #abort = (): void => this.#end(new Refused("requestMalformed"));

  #end(error?: unknown): void {
    if (this.#isOver) return;
    this.#isOver = true;
    // The error listener stays: without one, an error would end the process.
    this.#payload.off("data", this.#take).off("end", this.#complete);
    clearTimeout(this.#pace);
    this.#options.unplaced.remove(this);
    // The rest is discarded, so that the client finishes sending and reads the answer.
    this.#payload.resume();
    if (error === undefined) this.#settle.resolve(this.#body);
    else this.#settle.reject(error);
  }
}

/** Collects a body in one growing buffer. As separate buffers, one-byte chunks would take 300 bytes each. */
export class BodyBuffer {
  readonly #maxBytes: number;
  #memory: Buffer = Buffer.alloc(0);
  #length = 0;

  /** At most `maxBytes` are ever appended. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get length(): number {
    return this.#length;
  }

  /** The memory in use. */
  get capacity(): number {
    return this.#memory.length;
  }

  get bytes(): Buffer {
    return this.#memory.subarray(0, this.#length);
  }

  append(chunk: Buffer): void {
    const length = this.#length + chunk.length;
    // Most bodies arrive in one chunk, which is not copied.
    if (this.#length === 0) this.#memory = chunk;
    else {
      if (length > this.#memory.length) this.#grow(length);
      chunk.copy(this.#memory, this.#length);
    }
    this.#length = length;
  }

  #grow(length: number): void {
    const doubled = Math.min(Math.max(minBufferBytes, 2 * this.#memory.length), this.#maxBytes);
    const grown = Buffer.allocUnsafeSlow(Math.max(doubled, length));
    this.bytes.copy(grown);
    this.#memory = grown;
  }
}

export interface UnplacedBody {
  /** Stops receiving and frees the memory. */
  giveUp(): void;
}

/**
 * Limits the memory of bodies without a slot. When it is full, the oldest body is rejected: at a normal speed, a body
 * is complete long before it is the oldest.
 */
export class UnplacedBodies {
  readonly #maxBytes: number;
  /** Oldest first. */
  readonly #sizes = new Map<UnplacedBody, number>();
  #bytes = 0;

  constructor(maxBytes = maxUnplacedBytes) {
    this.#maxBytes = maxBytes;
  }

  resize(body: UnplacedBody, bytes: number): void {
    this.#bytes += bytes - (this.#sizes.get(body) ?? 0);
    this.#sizes.set(body, bytes);
    for (const oldest of this.#sizes.keys()) {
      if (this.#bytes <= this.#maxBytes) return;
      this.remove(oldest);
      oldest.giveUp();
    }
  }

  remove(body: UnplacedBody): void {
    this.#bytes -= this.#sizes.get(body) ?? 0;
    this.#sizes.delete(body);
  }
}

/**
 * Makes long loops yield sooner while a request with a small body is in flight. Bodies of undeclared length count as
 * small.
 */
export const prioritizeSmallRequests = fastifyPlugin(async (app) => {
  app.addHook("onRequest", (request, _reply, done) => {
    const isLarge = Number(request.headers["content-length"]) > smallBodyBytes;
    if (!isLarge) shortenSlices();
    done();
  });
});
