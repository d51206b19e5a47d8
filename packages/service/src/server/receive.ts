import type { Readable } from "node:stream";
import { RequestRefused } from "../refusals/request-refused.js";

/** So much of a body is received without a place: no more than a connection has in its buffers anyway. */
export const smallBodyBytes = 64 * 1024;
/** A large body holds a place while it is received, so it has to come on: 5 MB within a minute are five times as fast. */
export const leastPace = { bytes: 80 * 1024, everyMs: 5_000 };

/** Where a body waits, so that those in memory are bounded in number. */
export interface BodyPlaces {
  /** Resolves when the rest of a body that turns out to be large may be received. */
  forLarge(): Promise<void>;
  /** Resolves when a small one, which is there, may be worked on. */
  forSmall(): Promise<void>;
}

/**
 * The bytes of a body. A small one takes its place when it is there, however long that takes: many that trickle in hold
 * nothing that others need. The rest of a large one is left on the wire until it has a place, and then has a least pace.
 */
export async function receive(
  payload: Readable,
  limitBytes: number,
  places: BodyPlaces | null,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let received = 0;
  let receivedBefore = 0;
  let pace: NodeJS.Timeout | undefined;
  let isOver = false;

  await new Promise<void>((resolve, reject) => {
    function end(error?: unknown): void {
      isOver = true;
      payload.off("data", take).off("end", end).off("error", broken);
      clearInterval(pace);
      // What still comes is thrown away, so that the answer finds its reader.
      payload.resume();
      if (error === undefined) resolve();
      else reject(error);
    }

    /** The client has left in the middle of it, which is no fault of ours. */
    function broken(): void {
      end(new RequestRefused("requestMalformed"));
    }

    function take(chunk: Buffer): void {
      const isLargeNow = received <= smallBodyBytes && received + chunk.length > smallBodyBytes;
      received += chunk.length;
      if (received > limitBytes) return end(new RequestRefused("bodyTooLarge"));
      chunks.push(chunk);
      if (places && isLargeNow) {
        payload.pause();
        places.forLarge().then(goOn, end);
      }
    }

    function goOn(): void {
      // The client has left while it was waiting.
      if (isOver) return;
      receivedBefore = received;
      // After a pause of the whole process what has come meanwhile is still to be taken, so timers wait for that.
      pace = setInterval(() => setImmediate(checkPace), leastPace.everyMs);
      payload.resume();
    }

    function checkPace(): void {
      if (isOver) return;
      if (received - receivedBefore < leastPace.bytes) end(new RequestRefused("requestTimeout"));
      receivedBefore = received;
    }

    if (payload.destroyed) return end(new RequestRefused("requestMalformed"));
    payload.on("data", take).on("end", end).on("error", broken);
  });
  if (received <= smallBodyBytes) await places?.forSmall();
  return Buffer.concat(chunks, received);
}
