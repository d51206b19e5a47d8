import type { Config } from "../../core/config.js";
import type { Identity } from "./identities.js";

/** What a browser keeps until it returns from the provider. */
export interface Pending {
  state: string;
  nonce: string;
  verifier: string;
}

/** An OpenID provider for signing in. */
export interface Provider {
  name: string;
  /** The address to send the browser to, and the values that it has to keep. */
  begin(): Promise<{ address: string; pending: Pending }>;
  /** The identity in the provider's answer. Throws providerRefused if it does not answer the pending request. */
  finish(answer: string, pending: Pending): Promise<Identity>;
}

/** The provider redirects users to this page, which passes the answer on. */
export const returnPath = "/sign-in/provider";

/** Its code is loaded only if a provider is configured. */
export async function configuredProvider(config: Config): Promise<Provider | undefined> {
  const { oidcIssuer: issuer, oidcClientId: clientId, publicUrl } = config;
  if (issuer === undefined || clientId === undefined || publicUrl === undefined) return undefined;
  const { openIdProvider } = await import("./openid-provider.js");
  return openIdProvider({
    issuer,
    clientId,
    clientSecret: config.oidcClientSecret,
    name: config.oidcName,
    trustEmail: config.oidcTrustEmail,
    returnAddress: publicUrl + returnPath,
  });
}
