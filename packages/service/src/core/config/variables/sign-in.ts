import { readIssuer, readSwitch, readText } from "../readers.js";
import type { Variables } from "../variables.js";

/** How people sign in to the console, besides passwords and links. */
export const signInVariables = {
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
      "Take e-mail addresses for verified of which the provider does not say whether they are. Only for a provider where nobody can choose an address by themselves.",
  },
} satisfies Partial<Variables>;
