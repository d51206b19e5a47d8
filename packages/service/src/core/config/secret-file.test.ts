import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { describeConfig, readConfig } from "../../config.js";

const folder = mkdtempSync(path.join(tmpdir(), "gatehouse-secrets-"));
afterAll(() => rmSync(folder, { recursive: true }));

function fileWith(text: string): string {
  const file = path.join(folder, `${Math.random()}`);
  writeFileSync(file, text);
  return file;
}

const key = Buffer.alloc(32, 5);

test("every secret can be read from a file, with or without a final newline", () => {
  const named = describeConfig().flatMap(({ fileName }) => fileName ?? []);
  expect(named).toEqual([
    "DATABASE_URL_FILE",
    "GATEHOUSE_DATABASE_PASSWORD_FILE",
    "GATEHOUSE_SECRET_KEY_FILE",
    "GATEHOUSE_OIDC_CLIENT_SECRET_FILE",
    "OTEL_EXPORTER_OTLP_HEADERS_FILE",
  ]);
  for (const end of ["", "\n", "\r\n"]) {
    const config = readConfig({
      DATABASE_URL_FILE: fileWith(`postgres://gatehouse@db/gatehouse${end}`),
      GATEHOUSE_DATABASE_PASSWORD_FILE: fileWith(` p/w ${end}`),
      GATEHOUSE_SECRET_KEY_FILE: fileWith(key.toString("base64") + end),
      GATEHOUSE_OIDC_CLIENT_SECRET_FILE: fileWith(`secret${end}`),
      OTEL_EXPORTER_OTLP_HEADERS_FILE: fileWith(`authorization=Bearer%20token${end}`),
    });
    const password = encodeURIComponent(" p/w ");
    expect(config.oidcClientSecret).toBe("secret");
    expect(config.databaseUrl).toBe(`postgres://gatehouse:${password}@db/gatehouse`);
    expect(config.secretKey).toEqual(key);
  }
});

test("only one newline is removed, because a password may end with another", () => {
  const { databaseUrl } = readConfig({
    DATABASE_URL: "postgres://db/x",
    GATEHOUSE_DATABASE_PASSWORD_FILE: fileWith("secret\n\n"),
  });
  expect(databaseUrl).toBe("postgres://:secret%0A@db/x");
});

test.each([
  [
    "both set",
    () => ({ GATEHOUSE_SECRET_KEY: key.toString("base64") }),
    /SECRET_KEY_FILE and GATEHOUSE_SECRET_KEY are both set/,
  ],
  ["absent", () => ({ GATEHOUSE_SECRET_KEY_FILE: path.join(folder, "absent") }), /cannot be read: ENOENT/],
  ["a folder", () => ({ GATEHOUSE_SECRET_KEY_FILE: folder }), /cannot be read: EISDIR/],
  ["empty", () => ({ GATEHOUSE_SECRET_KEY_FILE: fileWith("\n") }), /which is empty/],
  ["without an end", () => ({ GATEHOUSE_SECRET_KEY_FILE: "/dev/zero" }), /larger than any secret/],
  [
    "with something else in it",
    () => ({ GATEHOUSE_SECRET_KEY_FILE: fileWith("hunter2") }),
    /GATEHOUSE_SECRET_KEY must be 32 bytes/,
  ],
])("a file that cannot be used is named and its content is not: %s", (_what, variables, problem) => {
  const file = fileWith(key.toString("base64"));
  const read = (): unknown => readConfig({ GATEHOUSE_SECRET_KEY_FILE: file, ...variables() });
  expect(read).toThrow(problem);
  expect(read).not.toThrow(/hunter2/);
});

test("an unreadable file for DATABASE_URL is reported once", () => {
  expect(() => readConfig({ DATABASE_URL_FILE: "/absent", GATEHOUSE_EMBEDDED_DATABASE: "off" })).toThrow(
    expect.objectContaining({ problems: [expect.stringContaining("DATABASE_URL_FILE names /absent")] }),
  );
});
