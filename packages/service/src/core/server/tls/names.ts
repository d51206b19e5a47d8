import type { X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import { hostname } from "node:os";
import { domainToASCII } from "node:url";

/** What a certificate is valid for. */
export interface CertificateNames {
  dns: string[];
  addresses: string[];
}

/** Listening on these means listening on every address; nobody connects to them. */
const unspecifiedAddresses = ["0.0.0.0", "::"];

/** This machine's names and addresses, and the given ones. */
export function neededNames(hosts: string[] = []): CertificateNames {
  const all = ["localhost", "*.localhost", hostname(), "127.0.0.1", "::1", ...hosts].map((host) =>
    host.toLowerCase(),
  );
  const addresses = all.filter((host) => isIP(host) !== 0 && !unspecifiedAddresses.includes(host));
  const dns = all.filter((host) => isIP(host) === 0).map(toCertificateName);
  return {
    // A machine may be called something that no certificate can hold.
    dns: [...new Set(dns.filter((name) => name !== ""))],
    addresses: [...new Set(addresses)],
  };
}

/** Certificates hold names in ASCII; the empty string stands for one that cannot be written so. */
function toCertificateName(name: string): string {
  return name.startsWith("*.") ? `*.${domainToASCII(name.slice(2))}` : domainToASCII(name);
}

export function certificateCovers(certificate: X509Certificate, names: CertificateNames): boolean {
  const listed = new Set((certificate.subjectAltName ?? "").toLowerCase().split(", "));
  // Addresses are compared by their meaning: the listing spells ::1 in full.
  return (
    names.dns.every((name) => listed.has(`dns:${name}`)) &&
    names.addresses.every((address) => certificate.checkIP(address) !== undefined)
  );
}
