import { createHash } from "node:crypto";
import { maxPieceRequestBytes, uploadPieceBytes, type ImportResourceName } from "@gatehouse-parking/contract";
import type { Upload, UploadDetail } from "@gatehouse-parking/contract/console";
import type { FastifyInstance } from "fastify";
import type { Role } from "../src/core/organizations/accounts.js";
import { consoleRoot, ownPage, signedIn, type Visitor } from "./console.js";
import { sendTo, type Answer, type TestApp, type Tenant } from "./harness.js";

/** A user who uploads files in the console, like its page does. */
export interface Uploader extends Tenant {
  person: Visitor;
  /** The URL of the organization's uploads. */
  uploads: string;
  create(fileName: string, size: number, resource?: ImportResourceName): Promise<Answer>;
  sendPart(uuid: string, offset: number, bytes: Buffer): Promise<Answer>;
  complete(uuid: string, content: Buffer): Promise<Answer>;
  /** Announces the file, sends all of it and completes it. */
  receive(
    content: string | Buffer,
    options?: { fileName?: string; resource?: ImportResourceName },
  ): Promise<string>;
  act(uuid: string, action: "pause" | "resume" | "cancel"): Promise<Answer>;
  start(uuid: string, options?: Partial<Start>): Promise<Answer>;
  show(uuid: string): Promise<UploadDetail>;
  /** Uploads the file, starts its import and processes it to the end. */
  run(content: string | Buffer, options?: Partial<Start>): Promise<UploadDetail>;
  /** A transaction of the organization as a CSV line: transactionId, locationUuid, type, transactionDate. */
  line(id: string, type?: string): string;
}

interface Start {
  validateOnly: boolean;
  mapping: object;
  ignoreUnknownColumns: boolean;
}

export const transactionHeader = "transactionId,locationUuid,type,transactionDate\n";

export async function uploader(gatehouse: TestApp, role: Role = "admin"): Promise<Uploader> {
  const tenant = await gatehouse.tenant();
  return uploaderOf(gatehouse, tenant, role);
}

/** `app`: another instance on the same database. */
export async function uploaderOf(
  gatehouse: TestApp,
  tenant: Tenant,
  role: Role,
  app: FastifyInstance = gatehouse.app,
): Promise<Uploader> {
  const person = await signedIn(gatehouse, role, tenant.organizationId);
  const uploads = `/organizations/${tenant.organizationId}/uploads`;
  const self: Uploader = {
    ...tenant,
    person,
    uploads,
    create: (fileName, size, resource = "transactions") => person.post(uploads, { fileName, size, resource }),
    sendPart: (uuid, offset, bytes) =>
      sendTo(app, {
        method: "POST",
        url: `${consoleRoot}${uploads}/${uuid}/pieces?offset=${offset}`,
        headers: { ...ownPage, cookie: person.cookie, "content-type": "application/octet-stream" },
        payload: bytes,
      }),
    complete: (uuid, content) => person.post(`${uploads}/${uuid}/complete`, { sha256: digestOf(content) }),
    async receive(content, { fileName = "sessions.csv", resource = "transactions" } = {}) {
      const bytes = Buffer.from(content);
      const { uuid } = succeeded(await self.create(fileName, bytes.length, resource)) as Upload;
      for (let offset = 0; offset < bytes.length; offset += maxPieceRequestBytes)
        succeeded(await self.sendPart(uuid, offset, bytes.subarray(offset, offset + maxPieceRequestBytes)));
      succeeded(await self.complete(uuid, bytes));
      return uuid;
    },
    act: (uuid, action) => person.post(`${uploads}/${uuid}/${action}`, {}),
    start: (uuid, options = {}) =>
      person.post(`${uploads}/${uuid}/start`, { validateOnly: false, ...options }),
    show: async (uuid) => succeeded(await person.get(`${uploads}/${uuid}`)) as UploadDetail,
    async run(content, options) {
      const uuid = await self.receive(content);
      succeeded(await self.start(uuid, options));
      await app.uploads.runUntilIdle();
      return self.show(uuid);
    },
    line: (id, type = "1") => `${id},${tenant.locationUuid},${type},2026-04-01T14:30:00Z\n`,
  };
  return self;
}

/** A file of transactions with these ids. */
export function transactionFile(by: Uploader, count: number, type?: (index: number) => string): string {
  const lines = Array.from({ length: count }, (_, index) => by.line(`T-${index + 1}`, type?.(index)));
  return transactionHeader + lines.join("");
}

export function digestOf(content: Buffer): string {
  const pieces = [];
  for (let at = 0; at < content.length; at += uploadPieceBytes)
    pieces.push(sha256(content.subarray(at, at + uploadPieceBytes)));
  return sha256(Buffer.concat(pieces)).toString("hex");
}

function sha256(bytes: Buffer): Buffer {
  return createHash("sha256").update(bytes).digest();
}

function succeeded({ status, text, json }: Answer): unknown {
  if (status !== 200) throw new Error(`Answered ${status}: ${text}`);
  return json;
}
