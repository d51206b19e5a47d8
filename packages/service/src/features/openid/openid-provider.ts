import { isIP } from "node:net";
import { isStorableText } from "@gatehouse-parking/contract";
import * as oauth from "oauth4webapi";
import { nowMs } from "../../core/clock.js";
import { UserError } from "../../core/refusals/user-error.js";
import { boundedFetch } from "./bounded-fetch.js";
import type { Pending, Provider } from "./provider.js";

export interface OpenIdSettings {
  issuer: string;
  clientId: string;
  /** Undefined: a public client. */
  clientSecret: string | undefined;
  name: string;
  /** Treats an address as verified if the provider does not say whether it is. */
  trustEmail: boolean;
  returnAddress: string;
}

/** How long the provider's metadata is cached. */
const discoveryMs = 10 * 60_000;
/** How far the provider's clock may differ from ours. */
const clockToleranceSeconds = 30;
/** OpenID Connect Core allows no more. */
const maxSubjectLength = 255;
const controlCharacter = /\p{Cc}/u;

/** OpenID Connect: discovery, authorization code, PKCE, state and nonce. */
export function openIdProvider(settings: OpenIdSettings): Provider {
  const issuer = new URL(settings.issuer);
  /** Uses the service's clock instead of the machine's. */
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
    const server = await callProvider(async () => {
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
      const parameters = await checkAnswer(async () => {
        const checked = oauth.validateAuthResponse(
          server,
          client,
          new URLSearchParams(answer),
          pending.state,
        );
        if (!checked.has("code")) throw new Error("the answer has no code");
        return checked;
      });
      const response = await callProvider(() =>
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
      const claims = await checkAnswer(async () => {
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

  /** Most providers give the address only here. */
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

/** A failed request may work later. */
async function callProvider<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    throw new UserError("unavailable", ["The sign-in provider cannot be reached"], { cause: error });
  }
}

/** Retrying does not help with a wrong answer. */
async function checkAnswer<T>(check: () => Promise<T>): Promise<T> {
  try {
    return await check();
  } catch (error) {
    throw new UserError("providerRefused", ["Start again from the sign-in page"], { cause: error });
  }
}

const requiredEndpoints = ["authorization_endpoint", "token_endpoint", "jwks_uri"] as const;

/**
 * Browsers open the provider's endpoints and the service calls them, so each is https, or http on this machine for a provider on
 * this machine. The service calls no IP address other than the one that the operator has configured.
 */
function checkEndpoints(issuer: URL, server: oauth.AuthorizationServer): void {
  const { userinfo_endpoint: userInfo } = server;
  for (const name of requiredEndpoints) checkEndpoint(issuer, name, server[name]);
  if (userInfo !== undefined) checkEndpoint(issuer, "userinfo_endpoint", userInfo);
}

function checkEndpoint(issuer: URL, name: string, address: unknown): void {
  if (typeof address !== "string" || !isEndpoint(issuer, address))
    throw new Error(`the provider's ${name} is missing or not an https address`);
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

/** The checks that the library leaves to its caller. */
function checkClaims({ sub, azp, iat }: oauth.IDToken, clientId: string): void {
  if (sub === "" || sub.length > maxSubjectLength || !isStorableText(sub) || controlCharacter.test(sub))
    throw new Error(
      `the subject is empty, longer than ${maxSubjectLength} characters, or has control characters`,
    );
  if (azp !== undefined && azp !== clientId)
    throw new Error("the ID token was issued to another client (azp)");
  if (iat > nowMs() / 1_000 + clockToleranceSeconds) throw new Error("the ID token is from the future (iat)");
}
