import * as oauth from "oauth4webapi";
import { nowMs } from "../../clock.js";
import { boundedFetch } from "./bounded-fetch.js";
import { checkEndpoints } from "./endpoints.js";
import { checkClaims, clockToleranceSeconds } from "./id-token-claims.js";
import { ProviderAnswerRefused, ProviderUnreachable, type Pending, type Provider } from "./provider.js";

export interface OpenIdSettings {
  issuer: string;
  clientId: string;
  /** Undefined: a public client. */
  clientSecret: string | undefined;
  name: string;
  /** Whether an address counts as verified of which the provider says nothing. */
  trustEmail: boolean;
  returnAddress: string;
}

/** How long what the provider says about itself is believed. */
const discoveryMs = 10 * 60_000;

/** OpenID Connect: discovery, authorization code, PKCE, state and nonce. */
export function openIdProvider(settings: OpenIdSettings): Provider {
  const issuer = new URL(settings.issuer);
  /** By the service's own clock, whatever that of the machine says. */
  const clientNow = (): oauth.Client => ({
    client_id: settings.clientId,
    [oauth.clockTolerance]: clockToleranceSeconds,
    [oauth.clockSkew]: Math.round((nowMs() - Date.now()) / 1_000),
  });
  const authentication =
    settings.clientSecret === undefined ? oauth.None() : oauth.ClientSecretBasic(settings.clientSecret);
  // Plain HTTP is for a provider on this machine; the configuration takes no other.
  const requestOptions = () => ({
    [oauth.customFetch]: boundedFetch(),
    [oauth.allowInsecureRequests]: issuer.protocol === "http:",
  });
  type RequestOptions = ReturnType<typeof requestOptions>;
  let known: { server: oauth.AuthorizationServer; untilMs: number } | undefined;

  async function discover(options: RequestOptions): Promise<oauth.AuthorizationServer> {
    if (known && known.untilMs > performance.now()) return known.server;
    const server = await reach(async () => {
      const response = await oauth.discoveryRequest(issuer, options);
      const found = await oauth.processDiscoveryResponse(issuer, response);
      checkEndpoints(issuer, found);
      return found;
    });
    known = { server, untilMs: performance.now() + discoveryMs };
    return server;
  }

  return {
    name: settings.name,

    async begin() {
      const server = await discover(requestOptions());
      const pending: Pending = {
        state: oauth.generateRandomState(),
        nonce: oauth.generateRandomNonce(),
        verifier: oauth.generateRandomCodeVerifier(),
      };
      const address = new URL(server.authorization_endpoint as string);
      const parameters = {
        client_id: settings.clientId,
        redirect_uri: settings.returnAddress,
        response_type: "code",
        scope: "openid email",
        state: pending.state,
        nonce: pending.nonce,
        code_challenge: await oauth.calculatePKCECodeChallenge(pending.verifier),
        code_challenge_method: "S256",
      };
      for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
      return { address: address.href, pending };
    },

    async finish(answer, pending) {
      const options = requestOptions();
      const server = await discover(options);
      const client = clientNow();
      const parameters = await believe(async () => {
        const checked = oauth.validateAuthResponse(
          server,
          client,
          new URLSearchParams(answer),
          pending.state,
        );
        if (!checked.has("code")) throw new Error("the answer has no code");
        return checked;
      });
      const response = await reach(() =>
        oauth.authorizationCodeGrantRequest(
          server,
          client,
          authentication,
          parameters,
          settings.returnAddress,
          pending.verifier,
          options,
        ),
      );
      const claims = await believe(async () => {
        const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, {
          expectedNonce: pending.nonce,
          requireIdToken: true,
        });
        await oauth.validateApplicationLevelSignature(server, response, options);
        const idToken = oauth.getValidatedIdTokenClaims(tokens) as oauth.IDToken;
        checkClaims(idToken, settings.clientId);
        return idToken["email"] === undefined && server.userinfo_endpoint !== undefined
          ? { ...idToken, ...(await askUser(server, tokens.access_token, idToken.sub, options)) }
          : idToken;
      });
      const { email, email_verified: isVerified = settings.trustEmail } = claims as Record<string, unknown>;
      return {
        issuer: settings.issuer,
        subject: claims.sub,
        verifiedEmail: typeof email === "string" && isVerified === true ? email : undefined,
      };
    },
  };

  /** Most providers tell the address only here. */
  async function askUser(
    server: oauth.AuthorizationServer,
    accessToken: string,
    subject: string,
    options: RequestOptions,
  ) {
    const client = clientNow();
    const response = await oauth.userInfoRequest(server, client, accessToken, options);
    const { email, email_verified } = await oauth.processUserInfoResponse(server, client, subject, response);
    return { email, email_verified };
  }
}

/** What fails on the way to the provider may work later. */
async function reach<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    throw new ProviderUnreachable((error as Error).message, { cause: error });
  }
}

/** What is wrong with an answer is nothing that trying again would mend. */
async function believe<T>(check: () => Promise<T>): Promise<T> {
  try {
    return await check();
  } catch (error) {
    throw new ProviderAnswerRefused((error as Error).message, { cause: error });
  }
}
