import { readIssuer, readSwitch, readText } from "../../core/config/readers.js";
import type { Environment, Variables } from "../../core/config/variables.js";

declare module "../../core/config/settings.js" {
  interface Settings {
    /** Undefined: there is no provider. */
    oidcIssuer: string | undefined;
    oidcClientId: string | undefined;
    oidcClientSecret: string | undefined;
    oidcName: string;
    oidcTrustEmail: boolean;
  }
}

const variables = {
  oidcIssuer: {
    name: "GATEHOUSE_OIDC_ISSUER",
    read: readIssuer,
    whenUnset: undefined,
    shownDefault: "no provider",
    description:
      "The OpenID Connect provider that people may sign in to the console with: its issuer, such as https://login.example.com. Register GATEHOUSE_PUBLIC_URL with /sign-in/provider behind it as the redirect address there.",
  },
  oidcClientId: {
    name: "GATEHOUSE_OIDC_CLIENT_ID",
    read: readText,
    whenUnset: undefined,
    shownDefault: "none",
    description: "What the provider calls this service.",
  },
  oidcClientSecret: {
    name: "GATEHOUSE_OIDC_CLIENT_SECRET",
    read: readText,
    whenUnset: undefined,
    shownDefault: "none: a public client, with PKCE alone",
    description: "The secret that the provider gave this service.",
    secret: true,
  },
  oidcName: {
    name: "GATEHOUSE_OIDC_NAME",
    read: readText,
    whenUnset: "single sign-on",
    shownDefault: "single sign-on",
    description: "What the button on the sign-in page calls the provider.",
  },
  oidcTrustEmail: {
    name: "GATEHOUSE_OIDC_TRUST_EMAIL",
    read: readSwitch,
    whenUnset: false,
    shownDefault: "off",
    description:
      "on: treat email addresses as verified when the provider does not say whether they are. Only for a provider where users cannot choose their own address.",
  },
} satisfies Partial<Variables>;

export const environment: Environment = {
  variables,
  contradictions({ texts }) {
    const problems: string[] = [];
    if (texts.has("GATEHOUSE_OIDC_ISSUER") !== texts.has("GATEHOUSE_OIDC_CLIENT_ID"))
      problems.push("GATEHOUSE_OIDC_ISSUER and GATEHOUSE_OIDC_CLIENT_ID must be set together");
    if (texts.has("GATEHOUSE_OIDC_ISSUER") && !texts.has("GATEHOUSE_PUBLIC_URL"))
      problems.push("GATEHOUSE_OIDC_ISSUER needs GATEHOUSE_PUBLIC_URL: the provider sends people back there");
    return problems;
  },
};
