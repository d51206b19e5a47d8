import { expect, test } from "vitest";
import { databaseTrouble } from "./sqlstate.js";

const withCode = (code: string, more: object = {}) => Object.assign(new Error("refused"), { code, ...more });

test.each([
  ["08006", "connection failure"],
  ["53100", "disk full"],
  ["53300", "too many connections"],
  ["57014", "statement timeout"],
  ["57P01", "terminated by an administrator"],
  ["57P03", "starting up"],
  ["58030", "input/output error"],
  ["25006", "a standby"],
  ["55P03", "lock timeout"],
  ["25P03", "idle in transaction"],
  ["XX001", "a damaged table"],
  ["XX002", "a damaged index"],
  ["ECONNREFUSED", "no server"],
  ["ECONNRESET", "cut"],
  ["ENOTFOUND", "no such host"],
])("%s (%s): the database is unavailable, and a retry may succeed", (code) => {
  expect(databaseTrouble(withCode(code))).toBe("unavailable");
});

test.each([
  ["28P01", "password authentication failed"],
  ["28000", "no pg_hba.conf entry"],
  ["CERT_HAS_EXPIRED", "certificate has expired"],
  ["SELF_SIGNED_CERT_IN_CHAIN", "self-signed certificate in certificate chain"],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "not in the cert's altnames"],
])("%s: a rejected login counts as an unavailable database", (code) => {
  expect(databaseTrouble(withCode(code))).toBe("unavailable");
});

test("conflicts are retried, and other errors keep their kind", () => {
  expect(databaseTrouble(withCode("40001"))).toBe("conflict");
  expect(databaseTrouble(withCode("40P01"))).toBe("conflict");
  for (const code of ["23505", "22P02", "42P01", "22021", "XX000"])
    expect(databaseTrouble(withCode(code))).toBe("refused");
});

test("the driver's own errors have no code", () => {
  for (const message of [
    "Connection terminated unexpectedly",
    "Connection terminated due to connection timeout",
    "timeout exceeded when trying to connect",
    "timeout expired",
    "Query read timeout",
    "Client has encountered a connection error and is not queryable",
  ])
    expect(databaseTrouble(new Error(message)), message).toBe("unavailable");
});

test("a name with several addresses fails as a whole", () => {
  const error = new AggregateError([withCode("ECONNREFUSED"), withCode("ECONNREFUSED")]);
  expect(databaseTrouble(error)).toBe("unavailable");
});

test("errors from elsewhere are not database errors", () => {
  for (const other of [new Error("x"), new TypeError("y"), "text", null, undefined, withCode("FST_ERR")])
    expect(databaseTrouble(other)).toBeUndefined();
  for (const code of ["ENOENT", "EROFS", "EPERM", "EBUSY"])
    expect(databaseTrouble(withCode(code, { syscall: "open" })), code).toBeUndefined();
  expect(databaseTrouble(withCode("ENOENT", { syscall: "connect" }))).toBe("unavailable");
});
