import { Readable } from "node:stream";
import type { FastifyReply } from "fastify";

const pieceBytes = 64 * 1024;

/**
 * Sends bytes that are kept in memory anyway. Large ones go piece by piece: a reader that is slow shows that it comes on,
 * and one that does not read holds a piece and not a copy of the whole.
 */
export function sendInPieces(reply: FastifyReply, bytes: Buffer): FastifyReply {
  void reply.header("content-length", bytes.length);
  return reply.send(bytes.length <= pieceBytes ? bytes : Readable.from(piecesOf(bytes)));
}

function* piecesOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
}
