import { maxPieceRequestBytes } from "@gatehouse-parking/contract";
import type { FastifyInstance } from "fastify";
import { sendTo, type Answer, type TestApp } from "./harness.js";

const uploads = "/integrations/uploads";

/** A program that sends files with an API key. `app`: another instance on the same database. */
export function partnerUploads(gatehouse: TestApp, key: string, app: FastifyInstance = gatehouse.app) {
  const ask = (method: "GET" | "POST" | "DELETE", path: string, body?: object): Promise<Answer> =>
    sendTo(app, {
      method,
      url: `/integrations${path}`,
      key,
      ...(body && { payload: JSON.stringify(body), headers: { "content-type": "application/json" } }),
    });
  const self = {
    ask,
    create: (body: object) => ask("POST", "/uploads", body),
    send: (
      uuid: string,
      offset: number | string,
      bytes: Buffer | string,
      contentType = "application/octet-stream",
    ) =>
      sendTo(app, {
        method: "POST",
        url: `${uploads}/${uuid}/pieces?offset=${offset}`,
        key,
        payload: Buffer.from(bytes),
        headers: { "content-type": contentType },
      }),
    start: (uuid: string, body: object) => ask("POST", `/uploads/${uuid}/start`, body),
    get: (uuid: string) => ask("GET", `/uploads/${uuid}`),
    /** Announces the file and sends all of it. */
    async receive(content: string | Buffer, body: object = {}): Promise<string> {
      const bytes = Buffer.from(content);
      const { json, status, text } = await self.create({
        fileName: "sessions.csv",
        size: bytes.length,
        resource: "transactions",
        ...body,
      });
      if (status !== 200) throw new Error(text);
      for (let offset = 0; offset < bytes.length; offset += maxPieceRequestBytes) {
        const sent = await self.send(
          json.uuid,
          offset,
          bytes.subarray(offset, offset + maxPieceRequestBytes),
        );
        if (sent.status !== 200) throw new Error(sent.text);
      }
      return json.uuid as string;
    },
  };
  return self;
}
