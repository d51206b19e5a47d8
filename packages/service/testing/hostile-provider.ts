import { createHmac, createSign, generateKeyPairSync, randomUUID, type KeyObject } from "node:crypto";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type Json = Record<string, unknown>;
export type Endpoint = "discovery" | "token" | "keys" | "userinfo";

/** The provider's faults. Without one, it signs in any requested user. */
export interface ProviderAttack {
  metadata?(document: Json, issuer: string): void;
  header?(header: Json): void;
  claims?(claims: Json): void;
  /** Who signs the ID token instead of the published key. */
  signedBy?: "none" | "public key as a secret" | "another key";
  /** Returns the email address only at the userinfo endpoint, with these changes. */
  userinfo?(claims: Json): void;
  /** Replaces an endpoint's usual answer, which is given as JSON text. */
  raw?: Partial<Record<Endpoint, (reply: ServerResponse, usual: string) => void>>;
  /** Changes the redirect that the browser follows back. */
  back?(parameters: URLSearchParams): void;
}

export interface HostileProvider {
  issuer: string;
  /** Sets the faults and the user. */
  misbehave(attack: ProviderAttack, email: string): void;
  /** The redirect back to the service after the browser has followed this URL. */
  authorize(address: string): string;
  close(): Promise<void>;
}

export const clientId = "gatehouse";
const keys = generateKeyPairSync("rsa", { modulusLength: 2048 });
const others = generateKeyPairSync("rsa", { modulusLength: 2048 });
const publicPem = keys.publicKey.export({ type: "spki", format: "pem" });

/** An OpenID provider that answers any step wrongly. It accepts any code, repeatedly. */
export async function startHostileProvider(): Promise<HostileProvider> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const nonces = new Map<string, string>();
  let attack: ProviderAttack = {};
  let email = "";

  function answerOf(endpoint: Endpoint, code: string): unknown {
    const person = { sub: `subject of ${email}`, email, email_verified: true };
    if (endpoint === "discovery") return metadataOf(issuer, attack);
    if (endpoint === "keys") return { keys: [publicJwk()] };
    if (endpoint === "userinfo") return changed(person, attack.userinfo);
    const idToken = idTokenOf(attack, {
      iss: issuer,
      aud: clientId,
      nonce: nonces.get(code),
      ...(attack.userinfo ? { sub: person.sub } : person),
    });
    return { access_token: randomUUID(), token_type: "bearer", expires_in: 60, id_token: idToken };
  }

  server.on("request", async (request, reply) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const endpoint = endpointOf(request.url ?? "");
    if (!endpoint) return reply.writeHead(404).end();
    const usual = JSON.stringify(answerOf(endpoint, new URLSearchParams(body).get("code") ?? ""));
    const raw = attack.raw?.[endpoint];
    if (raw) return raw(reply, usual);
    return reply.writeHead(200, { "content-type": "application/json" }).end(usual);
  });
  return {
    issuer,
    misbehave: (next, about) => {
      attack = next;
      email = about;
    },
    authorize(address) {
      const asked = new URL(address).searchParams;
      const code = randomUUID();
      nonces.set(code, asked.get("nonce") ?? "");
      const parameters = new URLSearchParams({ code, state: asked.get("state") ?? "", iss: issuer });
      attack.back?.(parameters);
      return `?${parameters}`;
    },
    close: () => closeServer(server),
  };
}

export async function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise<void>((resolve) => server.close(() => resolve()));
}

function endpointOf(url: string): Endpoint | undefined {
  if (url.startsWith("/.well-known/openid-configuration")) return "discovery";
  return (["token", "keys", "userinfo"] as const).find((name) => url === `/${name}`);
}

function metadataOf(issuer: string, { metadata }: ProviderAttack): Json {
  const document: Json = {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
    userinfo_endpoint: `${issuer}/userinfo`,
    response_types_supported: ["code"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["RS256", "HS256", "none"],
    authorization_response_iss_parameter_supported: true,
  };
  metadata?.(document, issuer);
  return document;
}

function changed(values: Json, change: ((values: Json) => void) | undefined): Json {
  change?.(values);
  return values;
}

function publicJwk(): Json {
  return { ...keys.publicKey.export({ format: "jwk" }), kid: "one", use: "sig", alg: "RS256" };
}

function idTokenOf({ header, claims, signedBy }: ProviderAttack, named: Json): string {
  const now = Math.floor(Date.now() / 1_000);
  const parts = [
    changed({ alg: algorithms[signedBy ?? "the key"], kid: "one", typ: "JWT" }, header),
    changed({ iat: now, exp: now + 300, ...named }, claims),
  ];
  const signed = parts.map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
  if (signedBy === "none") return `${signed}.`;
  if (signedBy === "public key as a secret")
    return `${signed}.${createHmac("sha256", publicPem).update(signed).digest("base64url")}`;
  return `${signed}.${sign(signed, signedBy === "another key" ? others.privateKey : keys.privateKey)}`;
}

const algorithms = {
  "the key": "RS256",
  "another key": "RS256",
  none: "none",
  "public key as a secret": "HS256",
};

function sign(text: string, key: KeyObject): string {
  return createSign("RSA-SHA256").update(text).sign(key).toString("base64url");
}
