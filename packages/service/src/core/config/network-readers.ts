import { isIP } from "node:net";
import { domainToASCII } from "node:url";

/** Readers of names and addresses on the network; see readers.ts. */

/** A certificate grows with its names, and every handshake carries it. */
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

/** Labels of letters, digits, hyphens and underscores, as the domain name system has them; other scripts in their ASCII form. */
function isHostName(name: string): boolean {
  const ascii = domainToASCII(name);
  return (
    ascii.length <= maxNameLength &&
    ascii.split(".").every((label) => /^[a-z\d_-]{1,63}$/.test(label) && !/^-|-$/.test(label))
  );
}

/**
 * An origin, and nothing behind it: the console and the API have their paths at the root. Only https, because over plain
 * HTTP the service refuses whoever is not on its own machine.
 */
/** Longer names do not exist, and the address is in every receipt, for which a header has to do. */
const maxHostLength = 253;

export function readOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isOrigin = url?.protocol === "https:" && url.href === `${url.origin}/` && /^https:\/\//i.test(text);
  if (!isOrigin)
    throw new Error(
      `must be an https origin without a path, such as https://gatehouse.example.com, not "${withoutPassword(text)}"`,
    );
  if (url.hostname.length > maxHostLength)
    throw new Error(
      `has a host of ${url.hostname.length} characters, and names have ${maxHostLength} at most`,
    );
  return url.origin;
}

function withoutPassword(text: string): string {
  return text.includes("@") ? text.slice(text.lastIndexOf("@") + 1) : text;
}
