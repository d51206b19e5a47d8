import type { IncomingMessage } from "node:http";
import { RequestRefused } from "../refusals/request-refused.js";
import { BodyBuffer } from "./body-buffer.js";
import type { UnplacedBodies } from "./unplaced-bodies.js";

/** A body of up to this size is received without a place: a connection has as much in its buffers anyway. */
export const smallBodyBytes = 64 * 1024;
/** The least pace of a large body: 5 MB within a minute are five times as fast. */
export const leastPace = { bytes: 80 * 1024, everyMs: 5_000 };
/** The least pace of the first 64 KB. A mobile network that loses packets is faster. */
export const leastSmallPace = { bytes: 1024, everyMs: 15_000 };

/** Where a body waits, so that those in memory are bounded in number. */
export interface BodyPlaces {
  /** Resolves when the rest of a body that turns out to be large may be received. */
  forLarge(): Promise<void>;
  /** Resolves when a small one, which is there, may be worked on. */
  forSmall(): Promise<void>;
}

export interface ReceiveOptions {
  limitBytes: number;
  places: BodyPlaces | null;
  unplaced: UnplacedBodies;
}

/**
 * The bytes of a body. A small one takes its place once it has arrived, so that slow ones hold no place that others need.
 * The rest of a large one is left on the wire until it has a place.
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
    this.#end(new RequestRefused("overloaded"));
  }

  readonly #take = (piece: Buffer): void => {
    const wasLarge = this.#isLarge;
    if (this.#body.length + piece.length > this.#options.limitBytes)
      return this.#end(new RequestRefused("bodyTooLarge"));
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
    // The client may have left while it was waiting.
    if (this.#isOver) return;
    this.#keepPace();
    this.#payload.resume();
  };

  #keepPace(): void {
    this.#lengthBefore = this.#body.length;
    // After a pause of the whole process the bytes that came meanwhile are taken first.
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
    if (this.#body.length - this.#lengthBefore < leastBytes) this.#end(new RequestRefused("requestTimeout"));
    this.#lengthBefore = this.#body.length;
  }

  readonly #complete = (): void => this.#end();

  /** The client has left before the body was complete. */
  readonly #abort = (): void => this.#end(new RequestRefused("requestMalformed"));

  #end(error?: unknown): void {
    if (this.#isOver) return;
    this.#isOver = true;
    // The listener for errors stays: one that nothing handles would end the process.
    this.#payload.off("data", this.#take).off("end", this.#complete);
    clearTimeout(this.#pace);
    this.#options.unplaced.remove(this);
    // The rest is thrown away, so that the client comes to read its answer.
    this.#payload.resume();
    if (error === undefined) this.#settle.resolve(this.#body);
    else this.#settle.reject(error);
  }
}
