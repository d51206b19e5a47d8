import type { Settings } from "./settings.js";
import { editDistance } from "./spelling.js";
import { fileSuffix } from "./variables.js";
import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { createSecureContext } from "node:tls";

/**
 * Parses DATABASE_URL strictly. The driver could misread an unencoded password, for example look up part of it as a
 * host name. Such URLs are rejected first. Error messages never repeat any part of the URL.
 */

const likeThis = "must look like postgres://user@host:5432/name";
const needsEncoding =
  "has a character in its user name or password that means something else in an address: percent-encode it (/ is %2F, @ is %40, # is %23, ? is %3F, % is %25), or leave the password out and give it, as it is, in GATEHOUSE_DATABASE_PASSWORD";

/** Each sslmode with its node-postgres equivalent. */
const sslModes = ["disable", "no-verify", "prefer", "require", "verify-ca", "verify-full"];

interface Parts {
  /** Scheme, including the two slashes. */
  scheme: string;
  /** Undefined: the URL has no user. */
  userInfo: string | undefined;
  hosts: string;
  /** The database name and the parameters. */
  rest: string;
}

export function readDatabaseUrl(text: string): string {
  const { scheme, userInfo, hosts, rest } = takeApart(text.trim());
  for (const part of (userInfo ?? "").split(":")) if (!isPercentEncoded(part)) throw new Error(needsEncoding);
  // An empty host means the local socket, or the host in the `host` parameter.
  const isReadable = (host: string): boolean => URL.canParse(`postgres://${host}/`) && host !== "";
  if (rest.includes("#") || (hosts !== "" && !hosts.split(",").every(isReadable))) throw new Error(likeThis);
  const parameters = parametersOf(rest);
  const sslMode = parameters.get("sslmode");
  if (sslMode !== null && !sslModes.includes(sslMode))
    throw new Error(`has sslmode=${sslMode}; it must be one of ${sslModes.join(", ")}`);
  const isPinned = parameters.get("uselibpqcompat") !== "true";
  return joined({ scheme, userInfo, hosts, rest: isPinned ? pinSslMode(rest) : rest });
}

/** Whether the URL contains a password. */
export function hasPassword(databaseUrl: string): boolean {
  const { userInfo, rest } = takeApart(databaseUrl);
  return (userInfo ?? "").includes(":") || parametersOf(rest).has("password");
}

/** Adds an unencoded password to a URL that has none. */
export function withPassword(databaseUrl: string, password: string): string {
  const { userInfo, ...parts } = takeApart(databaseUrl);
  return joined({ ...parts, userInfo: `${userInfo ?? ""}:${encodeURIComponent(password)}` });
}

/** The query string. */
export function databaseParameters(databaseUrl: string): URLSearchParams {
  return parametersOf(takeApart(databaseUrl).rest);
}

function takeApart(text: string): Parts {
  const [scheme] = /^postgres(?:ql)?:\/\//.exec(text) ?? [];
  if (scheme === undefined) throw new Error("must start with postgres:// or postgresql://");
  const behind = text.slice(scheme.length);
  const [authority = ""] = behind.split(/[/?#]/, 1);
  const rest = behind.slice(authority.length);
  const [before = "", after, ...more] = authority.split("@");
  // A second @, or one after the host, is part of the password.
  if (more.length > 0 || rest.includes("@")) throw new Error(needsEncoding);
  return after === undefined
    ? { scheme, userInfo: undefined, hosts: before, rest }
    : { scheme, userInfo: before, hosts: after, rest };
}

function joined({ scheme, userInfo, hosts, rest }: Parts): string {
  return `${scheme}${userInfo === undefined ? "" : `${userInfo}@`}${hosts}${rest}`;
}

function parametersOf(rest: string): URLSearchParams {
  return new URLSearchParams(rest.includes("?") ? rest.slice(rest.indexOf("?")) : "");
}

/**
 * node-postgres 8 treats prefer, require and verify-ca as verify-full, and warns that its next major version will
 * weaken them. Explicit settings keep their meaning in every driver release.
 */
function pinSslMode(rest: string): string {
  return rest.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/g, "$1verify-full");
}

function isPercentEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Chooses the database. After a mistake here, the service would create an empty database, store imports in it, and
 * lose them with the machine. So if the environment suggests that the operator meant a PostgreSQL server, the embedded
 * one starts only by explicit choice.
 */

const url = "DATABASE_URL";
const choose =
  "Set DATABASE_URL=postgres://user@host:5432/name, or GATEHOUSE_EMBEDDED_DATABASE=on for the embedded PostgreSQL server in the data folder";
/** Variables that other programs use for a database. They count only if they contain a PostgreSQL URL. */
const otherNames = /^(?:DATABASE|DB|PG|POSTGRES|POSTGRESQL)_?(?:URL|URI|DSN|CONNECTION_STRING)$/;
/** Variables of the PostgreSQL client tools that name a server. */
const serverNames = ["PGHOST", "PGHOSTADDR", "PGSERVICE"];
const maxMistypedLetters = 2;

export function databaseProblems(
  environment: NodeJS.ProcessEnv,
  given: ReadonlyMap<string, string>,
  { databaseUrl, embeddedDatabase }: Settings,
): string[] {
  const hasOwnPassword = given.has("GATEHOUSE_DATABASE_PASSWORD");
  if (given.has(url)) {
    const problems: string[] = [];
    if (embeddedDatabase)
      problems.push(`${url} is set and GATEHOUSE_EMBEDDED_DATABASE is on. Choose one: unset the other`);
    if (hasOwnPassword && databaseUrl !== undefined && hasPassword(databaseUrl))
      problems.push(`${url} has a password, and GATEHOUSE_DATABASE_PASSWORD is set too. Unset one of them`);
    return problems;
  }
  // An unreadable file has already been reported.
  if (isSet(environment[url + fileSuffix])) return [];
  const problems = hasOwnPassword ? [`GATEHOUSE_DATABASE_PASSWORD is set, but ${url} is not`] : [];
  return embeddedDatabase ? problems : [...problems, ...whatSpeaksAgainst(environment, embeddedDatabase)];
}

function whatSpeaksAgainst(environment: NodeJS.ProcessEnv, embeddedDatabase: boolean | undefined): string[] {
  for (const name of [url, url + fileSuffix])
    if (environment[name] !== undefined) return [`${name} is set but empty. ${choose}`];
  const meant = Object.keys(environment).find((name) => seemsToMeanUrl(name, environment[name]));
  if (meant !== undefined)
    return [`${meant} is set, but ${url} is the variable that Gatehouse reads. ${choose}`];
  if (embeddedDatabase === false)
    return [`GATEHOUSE_EMBEDDED_DATABASE is off and ${url} is not set. ${choose}`];
  return [];
}

function seemsToMeanUrl(name: string, text: string | undefined): boolean {
  // Unknown names with the GATEHOUSE_ prefix are always reported.
  if (!isSet(text) || name.startsWith("GATEHOUSE_")) return false;
  const upper = name.toUpperCase();
  return (
    serverNames.includes(name) ||
    (otherNames.test(upper) && /^postgres(?:ql)?:\/\//.test(text)) ||
    [url, url + fileSuffix].some((right) => editDistance(upper, right) <= maxMistypedLetters)
  );
}

function isSet(text: string | undefined): text is string {
  return text !== undefined && text.trim() !== "";
}

/**
 * Checks the certificate and key files in DATABASE_URL before the service starts. The driver would fail only at its
 * first connection, and leave that connection hanging.
 */
export function databaseFileProblems(databaseUrl: string): string[] {
  const parameters = databaseParameters(databaseUrl);
  const problems: string[] = [];
  const read = (parameter: string): Buffer | undefined => {
    const file = parameters.get(parameter);
    if (!file) return undefined;
    try {
      return readFileSync(file);
    } catch (error) {
      problems.push(
        `DATABASE_URL has ${parameter}=${file}, which cannot be read: ${(error as Error).message}`,
      );
      return undefined;
    }
  };

  // In libpq, this value means the operating system's CAs. The driver would look for a file of this name.
  if (parameters.get("sslrootcert") === "system")
    return ["DATABASE_URL has sslrootcert=system. Remove it to trust the CAs that Node.js trusts"];
  const authority = read("sslrootcert");
  if (authority && !isCertificate(authority))
    problems.push("DATABASE_URL names a file in sslrootcert that holds no certificate (PEM)");
  if (parameters.has("sslcert") !== parameters.has("sslkey"))
    problems.push("DATABASE_URL must have both sslcert and sslkey, or neither");
  const cert = read("sslcert");
  const key = read("sslkey");
  const mismatch = cert && key && mismatchOf(cert, key);
  if (mismatch)
    problems.push(
      `The files in sslcert and sslkey of DATABASE_URL are not a matching PEM certificate and key: ${mismatch}`,
    );
  return problems;
}

function isCertificate(pem: Buffer): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0;
  } catch {
    return false;
  }
}

function mismatchOf(cert: Buffer, key: Buffer): string | undefined {
  try {
    createSecureContext({ cert, key });
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
