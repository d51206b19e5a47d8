import { operationNames } from "@gatehouse-parking/contract";
import { logLevels, type LogLevel, type Settings } from "./settings.js";
import { isIP } from "node:net";
import { domainToASCII } from "node:url";

/** Each function parses the text of a variable. If it throws, the message completes "NAME ...". */

export function readText(text: string): string {
  return text;
}

export function readInteger(text: string, minimum: number, maximum: number): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < minimum || value > maximum) {
    throw new Error(`must be a whole number from ${minimum} to ${maximum}, not "${text}"`);
  }
  return value;
}

const unitMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Parses 90s, 30m, 24h or 7d to milliseconds. Undefined: not a duration. */
export function durationOf(text: string): number | undefined {
  const match = /^(\d{1,6})([smhd])$/.exec(text);
  return match ? Number(match[1]) * unitMs[match[2] as keyof typeof unitMs] : undefined;
}

export function readDuration(text: string, shortest: string, longest: string): number {
  const value = durationOf(text);
  const isWithin =
    value !== undefined &&
    value >= (durationOf(shortest) as number) &&
    value <= (durationOf(longest) as number);
  if (!isWithin)
    throw new Error(
      `must be a duration from ${shortest} to ${longest}, such as 30m, 24h or 7d, not "${text}"`,
    );
  return value;
}

/** Minutes after midnight. */
export function readTimeOfDay(text: string): number {
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  if (hours === undefined) throw new Error(`must be a time of day such as 03:00, not "${text}"`);
  return Number(hours) * 60 + Number(minutes);
}

export function readSwitch(text: string): boolean {
  if (text === "on") return true;
  if (text === "off") return false;
  throw new Error(`must be on or off, not "${text}"`);
}

export function readChoice<Choice extends string>(text: string, choices: readonly Choice[]): Choice {
  const choice = choices.find((known) => known === text);
  if (choice === undefined) throw new Error(`must be one of ${choices.join(", ")}, not "${text}"`);
  return choice;
}

export function readLogLevel(text: string): LogLevel {
  return readChoice(text, logLevels);
}

export function readHttpUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !["http:", "https:"].includes(url.protocol))
    throw new Error(`must be an http(s) address, not "${text}"`);
  return text;
}

const loopbackHosts = ["localhost", "127.0.0.1", "[::1]"];

export function readIssuer(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isSafe =
    url?.protocol === "https:" || (url?.protocol === "http:" && loopbackHosts.includes(url.hostname));
  if (!url || !isSafe || url.search !== "" || url.hash !== "" || url.username !== "")
    throw new Error(`must be the https address of an issuer without a query, not "${text}"`);
  return text;
}

export function readSecretKey(text: string): Buffer {
  const key = Buffer.from(text, "base64");
  if (key.length !== 32) throw new Error("must be 32 bytes in base64 (openssl rand -base64 32)");
  return key;
}

export function readLimits(text: string): Settings["limits"] {
  const limits: Settings["limits"] = {};
  const problems: string[] = [];
  for (const entry of text.split(",")) {
    const [, name, requests, windowSeconds] = /^\s*(\w+)=(\d{1,7})\/(\d{1,5})\s*$/.exec(entry) ?? [];
    const operation = operationNames.find((known) => known === name);
    const override = { requests: Number(requests), windowSeconds: Number(windowSeconds) };
    if (name === undefined)
      problems.push(`must look like importTransactions=6000/60,submitLead=1000/60, not "${entry}"`);
    else if (operation === undefined)
      problems.push(`names "${name}"; the operations are ${operationNames.join(", ")}`);
    else if (override.requests < 1 || override.windowSeconds < 1)
      problems.push(`needs numbers above 0 in "${entry}"`);
    else limits[operation] = override;
  }
  if (problems.length > 0) throw new Error(problems.join("; "));
  return limits;
}

export const bytesOfMegabyte = 1024 * 1024;

export function readMegabytes(text: string): number {
  return readInteger(text, 1, 1024 * 1024) * bytesOfMegabyte;
}

/** Readers of network names and addresses. The rest is in readers.ts. */

/** Each name makes the certificate larger, and every TLS handshake sends it. */
const maxCertificateNames = 100;
const maxNameLength = 253;

export function readProxies(text: string): string[] {
  const entries = text.split(",").map((entry) => entry.trim());
  for (const entry of entries) {
    const [address = "", bits] = entry.split("/");
    const family = isIP(address);
    const maxBits = family === 6 ? 128 : 32;
    const bitsFit = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= maxBits);
    if (family === 0 || !bitsFit) throw new Error(`must list addresses or CIDR ranges, not "${entry}"`);
  }
  return entries;
}

export function readCertificateNames(text: string): string[] {
  const names = text.split(",").map((name) => name.trim());
  if (names.length > maxCertificateNames)
    throw new Error(`lists ${names.length} names; at most ${maxCertificateNames} fit into a certificate`);
  for (const name of names) {
    if (isIP(name) === 0 && !isHostName(name.startsWith("*.") ? name.slice(2) : name))
      throw new Error(`must list names or addresses, separated by commas, not "${name}"`);
  }
  return names;
}

/** DNS labels: letters, digits, hyphens and underscores. International names are in ASCII form. */
function isHostName(name: string): boolean {
  const ascii = domainToASCII(name);
  return (
    ascii.length <= maxNameLength &&
    ascii.split(".").every((label) => /^[a-z\d_-]{1,63}$/.test(label) && !/^-|-$/.test(label))
  );
}

/**
 * An origin without a path, because the API and the console are served at the root. It must be https: the service
 * answers plain HTTP only to clients on the same machine.
 */
/** DNS names cannot be longer. The origin is also part of every receipt, which must fit in a header. */
const maxHostLength = 253;

export function readOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isOrigin = url?.protocol === "https:" && url.href === `${url.origin}/` && /^https:\/\//i.test(text);
  if (!isOrigin)
    throw new Error(
      `must be an https origin without a path, such as https://gatehouse.example.com, not "${withoutPassword(text)}"`,
    );
  if (url.hostname.length > maxHostLength)
    throw new Error(`has a host name of ${url.hostname.length} characters; the maximum is ${maxHostLength}`);
  return url.origin;
}

function withoutPassword(text: string): string {
  return text.includes("@") ? text.slice(text.lastIndexOf("@") + 1) : text;
}
