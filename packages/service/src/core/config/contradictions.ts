import { addedContradictions, type GivenSettings } from "./variables.js";

/** Settings that are right by themselves and do not fit together. */
export function contradictions(given: GivenSettings): string[] {
  const { texts, settings } = given;
  const problems: string[] = [];
  const isGiven = (name: string): boolean => texts.has(name);
  if (isGiven("GATEHOUSE_TLS_CERT") !== isGiven("GATEHOUSE_TLS_KEY"))
    problems.push("GATEHOUSE_TLS_CERT and GATEHOUSE_TLS_KEY must be set together");
  if (isGiven("GATEHOUSE_TLS_NAMES") && isGiven("GATEHOUSE_TLS_CERT"))
    problems.push(
      "GATEHOUSE_TLS_NAMES is for the generated certificate, and GATEHOUSE_TLS_CERT replaces it. Take one of them out",
    );
  if (isGiven("GATEHOUSE_OIDC_ISSUER") !== isGiven("GATEHOUSE_OIDC_CLIENT_ID"))
    problems.push("GATEHOUSE_OIDC_ISSUER and GATEHOUSE_OIDC_CLIENT_ID must be set together");
  if (isGiven("GATEHOUSE_OIDC_ISSUER") && !isGiven("GATEHOUSE_PUBLIC_URL"))
    problems.push("GATEHOUSE_OIDC_ISSUER needs GATEHOUSE_PUBLIC_URL: the provider sends people back there");
  problems.push(...addedContradictions(given));
  if (settings.https) {
    if (settings.httpsPort === settings.httpPort && settings.httpsPort !== 0)
      problems.push(
        `GATEHOUSE_HTTPS_PORT and GATEHOUSE_HTTP_PORT must differ, and both are ${settings.httpPort}`,
      );
    return problems;
  }
  if (!isGiven("GATEHOUSE_TRUST_PROXY") && !settings.allowPlainHttp)
    problems.push(
      "GATEHOUSE_HTTPS is off, so nobody could use the API. Name the proxies that end TLS in GATEHOUSE_TRUST_PROXY (or, for development, set GATEHOUSE_ALLOW_PLAIN_HTTP=on)",
    );
  for (const name of ["GATEHOUSE_TLS_CERT", "GATEHOUSE_TLS_NAMES"])
    if (isGiven(name)) problems.push(`${name} has no use with GATEHOUSE_HTTPS=off. Take one of them out`);
  return problems;
}
