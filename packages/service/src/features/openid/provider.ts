import type { Config } from "../../core/config.js";
import type { Identity } from "./identities.js";

/** What a browser keeps between being sent to the provider and coming back. */
export interface Pending {
  state: string;
  nonce: string;
  verifier: string;
}

/** An OpenID provider that people may sign in with. */
export interface Provider {
  name: string;
  /** Where to send the browser, and what it has to remember. */
  begin(): Promise<{ address: string; pending: Pending }>;
  /** The person that the provider's answer names. Throws providerRefused if it does not answer the pending request. */
  finish(answer: string, pending: Pending): Promise<Identity>;
}

/** Where the provider sends people back to: a page, which hands the answer on. */
export const returnPath = "/sign-in/provider";

/** Nothing of it is loaded unless a provider is configured. */
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
