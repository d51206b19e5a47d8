import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { root, trackedFiles } from "./repository.js";

/**
 * The only sources that call hosts other than the database, with the names used in
 * docs/explanation/security.md.
 */
const callers = {
  "packages/service/src/features/openid/bounded-fetch.ts": "OpenID provider",
  "packages/service/src/core/leads/captcha/verify-captcha.ts": "captcha provider",
  "packages/service/src/features/tracing/sdk.ts": "OTLP collector",
};
/** The functions that they call. */
const helper = "packages/service/src/core/outgoing-request.ts";
/** fetch, HTTP clients, sockets and libraries that make requests. Types and servers are excluded. */
const calls =
  /\bfetch(?:Whole)?\(|\bnew WebSocket\(|\bhttps?\.(?:request|get)\(|import \{[^}]*\b(?:request|get|connect|createConnection|Agent)\b[^}]*\} from "node:(?:http|https|http2|net|tls)"|from "(?:undici|axios|got|@opentelemetry\/exporter-[^"]+)"/;

test("docs/explanation/security.md names everybody whom the service calls", () => {
  const sources = trackedFiles().filter(
    (file) =>
      file !== helper &&
      /^packages\/(?:service|local-postgres)\/src\/.*\.ts$/.test(file) &&
      !file.endsWith(".test.ts"),
  );
  const calling = sources.filter((file) => calls.test(readFileSync(path.join(root, file), "utf8")));
  expect(calling.toSorted()).toEqual(Object.keys(callers).toSorted());
  const page = readFileSync(path.join(root, "docs/explanation/security.md"), "utf8");
  const [, table = ""] = /## Outgoing calls\n([^]*?)\n## /.exec(page) ?? [];
  for (const name of ["PostgreSQL", ...Object.values(callers)]) expect(table).toContain(`| ${name} |`);
});
