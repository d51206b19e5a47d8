import { isIP } from "node:net";
import type { AuthorizationServer } from "oauth4webapi";

const required = ["authorization_endpoint", "token_endpoint", "jwks_uri"] as const;
const optional = ["userinfo_endpoint"] as const;

/**
 * What the provider names as its endpoints is opened by browsers and called by the service, so each is https, or http on this
 * machine for a provider on this machine. The service calls no other address literal than the one that the operator has named.
 */
export function checkEndpoints(issuer: URL, server: AuthorizationServer): void {
  for (const name of [...required, ...optional]) {
    const address = server[name];
    if (address === undefined && (optional as readonly string[]).includes(name)) continue;
    if (typeof address !== "string" || !isEndpoint(issuer, address))
      throw new Error(`the provider's ${name} is missing or not an https address`);
  }
}

function isEndpoint(issuer: URL, address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname, username, password } = new URL(address);
  if (username !== "" || password !== "") return false;
  const isIssuersHost = hostname === issuer.hostname;
  if (protocol === "http:") return issuer.protocol === "http:" && isIssuersHost;
  const isLiteral = isIP(hostname.replaceAll(/[[\]]/g, "")) !== 0 || hostname === "localhost";
  return protocol === "https:" && (isIssuersHost || !isLiteral);
}
