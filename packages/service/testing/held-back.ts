import { once } from "node:events";
import type { Wire, WireAnswer } from "./wire.js";

export interface HeldRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  payload: string;
}

/**
 * Sends a request without the last byte of its body, calls `meanwhile`, and then sends that byte. The service sends
 * 100 Continue after accepting the caller and before reading the body, so `meanwhile` begins after that check.
 */
export async function holdLastByte(
  wire: Wire,
  { method, url, headers, payload }: HeldRequest,
  meanwhile: () => Promise<unknown>,
): Promise<WireAnswer> {
  const connection = await wire.connect({ plain: true });
  const lines = Object.entries({
    host: "localhost",
    "x-forwarded-proto": "https",
    expect: "100-continue",
    connection: "close",
    "content-length": String(Buffer.byteLength(payload)),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}`);
  connection.send(`${method} ${url} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`);
  const [interim] = (await once(connection.socket, "data")) as [Buffer];
  if (!interim.toString("latin1").startsWith("HTTP/1.1 100 "))
    throw new Error(`${method} ${url} was not accepted: ${interim.toString("latin1")}`);
  const bytes = Buffer.from(payload);
  connection.send(bytes.subarray(0, -1));
  await meanwhile();
  connection.send(bytes.subarray(-1));
  const [answer] = await connection.answers(1);
  connection.socket.destroy();
  return answer as WireAnswer;
}
