import { mkdtemp, rm } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import type { Config } from "../../service/src/config.js";
import { loadOrCreateCertificate } from "../../service/src/core/server/tls/certificates.js";
import { tlsOptions } from "../../service/src/core/server/tls/secure-context.js";
import { useApp, type TestApp } from "../../service/testing/harness.js";

/** The real service on a real TLS port. Its certificate is signed by a private authority in `caFile`. */
export interface LiveService {
  readonly gatehouse: TestApp;
  readonly url: string;
  readonly caFile: string;
  /** A folder for this test file. */
  readonly folder: string;
  /** Called when a response has been sent, before the caller can react to it. */
  onAnswer: ((path: string) => void) | undefined;
  /** Sees each request before the service. Return true if it handled the request. */
  intercept: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined;
}

export function useLiveService(overrides: Partial<Config> = {}): LiveService {
  const gatehouse = useApp(overrides);
  let server: Server;
  let folder: string;
  let url: string;
  let caFile: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "gatehouse-client-"));
    const certificate = await loadOrCreateCertificate({ dataDirectory: folder });
    caFile = certificate.caFile;
    server = createServer(await tlsOptions(certificate), (request, response) => {
      response.on("finish", () => service.onAnswer?.(request.url ?? ""));
      if (!service.intercept?.(request, response)) gatehouse.app.routing(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    url = `https://localhost:${(server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await rm(folder, { recursive: true, force: true });
  });
  const service: LiveService = {
    gatehouse,
    onAnswer: undefined,
    intercept: undefined,
    get url() {
      return url;
    },
    get caFile() {
      return caFile;
    },
    get folder() {
      return folder;
    },
  };
  return service;
}
