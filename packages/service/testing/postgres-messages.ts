import type { Socket } from "node:net";

/**
 * Calls back with every complete message: a type byte, its length, its content. A driver's first message
 * (`hasStartup`) has no type byte.
 */
export function onMessages(
  socket: Socket,
  { hasStartup }: { hasStartup: boolean },
  take: (message: Buffer, letter: string) => unknown,
): void {
  let pending = Buffer.alloc(0);
  let isStartup = hasStartup;
  socket.on("data", (bytes) => {
    pending = Buffer.concat([pending, bytes]);
    for (;;) {
      const lengthAt = isStartup ? 0 : 1;
      if (pending.length < lengthAt + 4) return;
      const size = lengthAt + pending.readInt32BE(lengthAt);
      if (pending.length < size) return;
      const message = pending.subarray(0, size);
      pending = pending.subarray(size);
      const letter = isStartup ? "" : String.fromCharCode(message[0] as number);
      isStartup = false;
      take(message, letter);
    }
  });
}

/** A type byte, the length, and a zero-terminated text, followed by `rest`. */
export function messageOf(letter: string, text: string, rest = Buffer.alloc(0)): Buffer {
  const content = Buffer.concat([Buffer.from(`${text}\0`), rest]);
  const head = Buffer.alloc(5);
  head.write(letter);
  head.writeInt32BE(content.length + 4, 1);
  return Buffer.concat([head, content]);
}
