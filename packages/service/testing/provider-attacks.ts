import type { ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import type { Endpoint, Json, ProviderAttack } from "./hostile-provider.js";

const hourSeconds = 3_600;

/** Changes of the ID token, each of which must prevent the sign-in. */
export const wrongTokens: Record<string, ProviderAttack> = {
  "another issuer": claim("iss", "https://evil.example"),
  "another audience": claim("aud", "somebody else"),
  "several audiences, issued to another": claims({ aud: ["gatehouse", "other"], azp: "other" }),
  "issued to another client": claim("azp", "other"),
  "another nonce": claim("nonce", "n".repeat(43)),
  "no nonce": claim("nonce", undefined),
  expired: { claims: (all) => void (all["exp"] = Number(all["iat"]) - hourSeconds) },
  "no expiry": claim("exp", undefined),
  "from the future": { claims: (all) => void (all["iat"] = Number(all["iat"]) + hourSeconds) },
  "no time": claim("iat", undefined),
  "not yet valid": { claims: (all) => void (all["nbf"] = Number(all["iat"]) + hourSeconds) },
  "subject with U+0000": claim("sub", "jo\u0000"),
  "empty subject": claim("sub", ""),
  "subject of 500 kB": claim("sub", "x".repeat(500_000)),
  "subject that is a number": claim("sub", 7),
  "no subject": claim("sub", undefined),
  "address that is not verified": claim("email_verified", false),
  "address verified as text": claim("email_verified", "true"),
  "address verified as a number": claim("email_verified", 1),
  "nothing about verification": claim("email_verified", undefined),
  "address as a list": { claims: (all) => void (all["email"] = [all["email"]]) },
  "address with the Kelvin sign": address((email) => email.replace("k", "\u212a")),
  "full-width address": address((email) => email.replace("k", "\uff4b")),
  "address with a line break": address((email) => `${email}\n`),
  "address with a no-break space": address((email) => `${email}\u00a0`),
  "address with a byte order mark": address((email) => `\ufeff${email}`),
  "address with U+0000": address((email) => `${email}\u0000`),
  "address of 500 kB": address((email) => `${email}${"x".repeat(500_000)}`),
  unsigned: { signedBy: "none" },
  "signed with the public key": { signedBy: "public key as a secret" },
  "signed with another key": { signedBy: "another key" },
  "unknown key": { header: (header) => void (header["kid"] = "two") },
  "lower-case algorithm": { header: (header) => void (header["alg"] = "rs256") },
  "unknown critical header": { header: (header) => void (header["crit"] = ["exp"]) },
  "userinfo of another subject": { userinfo: (said) => void (said["sub"] = "somebody else") },
  "userinfo not verified": { userinfo: (said) => void (said["email_verified"] = false) },
  "userinfo with a look-alike": {
    userinfo: (said) => void (said["email"] = String(said["email"]).replace("k", "\u212a")),
  },
};

/** Changes of the redirect, each of which must prevent the sign-in. */
export const wrongAnswers: Record<string, ProviderAttack> = {
  "another state": back((parameters) => parameters.set("state", "s".repeat(43))),
  "no state": back((parameters) => parameters.delete("state")),
  "two states": back((parameters) => parameters.append("state", "s".repeat(43))),
  "answer of another provider": back((parameters) => parameters.set("iss", "https://evil.example")),
  "answer that names no provider": back((parameters) => parameters.delete("iss")),
  "no code": back((parameters) => parameters.delete("code")),
  "an error": back((parameters) => parameters.set("error", "<script>alert(1)</script>")),
  "token in the answer": back((parameters) => parameters.set("id_token", "a.b.c")),
};

/** Changes of the provider's metadata, each of which must prevent the sign-in. */
export const wrongMetadata: Record<string, ProviderAttack> = Object.fromEntries(
  (["authorization_endpoint", "token_endpoint", "jwks_uri", "userinfo_endpoint"] as const).flatMap((name) =>
    [
      "javascript:alert(1)",
      "file:///etc/passwd",
      "data:text/html,x",
      "http://169.254.169.254/latest",
      "https://169.254.169.254/latest",
      "http://localhost:1/x",
      "https://[::1]:1/x",
      "http://evil.example/x",
      "https://user:password@evil.example/x",
      "//evil.example",
      "",
      7,
    ].map((value) => [
      `${name} ${value}`,
      { metadata: (document: Json) => void (document[name] = value) } satisfies ProviderAttack,
    ]),
  ),
);
wrongMetadata["another issuer in the document"] = {
  metadata: (document) => void (document["issuer"] = "https://evil.example"),
};
wrongMetadata["no endpoints"] = {
  metadata: (document) => {
    for (const name of Object.keys(document)) if (name !== "issuer") delete document[name];
  },
};

type Raw = (reply: ServerResponse, usual: string) => void;
const json = { "content-type": "application/json" };
/** A decompression bomb of this many bytes in a few thousand. */
const bomb = gzipSync(Buffer.alloc(16 * 1024 * 1024));

/** Invalid answers. `trap` is a URL that must not be requested. */
export function rawAnswers(trap: string): Record<string, Raw> {
  return {
    "status 500": (reply) => reply.writeHead(500).end(),
    "status 204": (reply) => reply.writeHead(204).end(),
    "redirect to this machine": (reply) => reply.writeHead(302, { location: trap }).end(),
    "redirect that keeps the method": (reply) => reply.writeHead(307, { location: trap }).end(),
    "redirect to a file": (reply) => reply.writeHead(302, { location: "file:///etc/passwd" }).end(),
    "redirect to the metadata address": (reply) =>
      reply.writeHead(302, { location: "http://169.254.169.254/latest" }).end(),
    "no JSON": (reply) => reply.writeHead(200, json).end("{"),
    "nothing at all": (reply) => reply.writeHead(200, json).end(),
    null: (reply) => reply.writeHead(200, json).end("null"),
    list: (reply) => reply.writeHead(200, json).end("[]"),
    "deep nesting": (reply) => reply.writeHead(200, json).end("[".repeat(500_000)),
    "wrong content type": (reply, usual) => reply.writeHead(200, { "content-type": "text/html" }).end(usual),
    "no end of it": (reply) => {
      reply.writeHead(200, json);
      const more = () => void (reply.destroyed || reply.write("x".repeat(65_536), more));
      more();
    },
    "gzip bomb": (reply) => reply.writeHead(200, { ...json, "content-encoding": "gzip" }).end(bomb),
    "broken gzip": (reply, usual) => reply.writeHead(200, { ...json, "content-encoding": "gzip" }).end(usual),
    "cut in the middle": (reply, usual) => {
      reply.writeHead(200, { ...json, "content-length": usual.length });
      reply.write(usual.slice(0, 10), () => reply.destroy());
    },
    "connection closed": (reply) => reply.destroy(),
    // Comes last, because keys are cached.
    "members twice, the last wrong": (reply, usual) =>
      reply
        .writeHead(200, json)
        .end(
          `${usual.slice(0, -1)},"id_token":"a.b.c","issuer":"https://evil.example","keys":[],"sub":"x","email":"x"}`,
        ),
  };
}

/** An endless answer, byte by byte. */
export const slowAnswer: Raw = (reply) => {
  reply.writeHead(200, json);
  const timer = setInterval(() => reply.write(" "), 100);
  reply.on("close", () => clearInterval(timer));
};

export const endpoints: Endpoint[] = ["discovery", "token", "keys", "userinfo"];

/** One answer at one endpoint. The userinfo endpoint is used only if the ID token has no email address. */
export function rawAttack(endpoint: Endpoint, raw: Raw): ProviderAttack {
  return {
    raw: { [endpoint]: raw },
    ...(endpoint === "userinfo" ? { userinfo: () => undefined } : {}),
  };
}

function claim(name: string, value: unknown): ProviderAttack {
  return claims({ [name]: value });
}

function claims(values: Json): ProviderAttack {
  return { claims: (all) => void Object.assign(all, values) };
}

function address(change: (email: string) => string): ProviderAttack {
  return { claims: (all) => void (all["email"] = change(String(all["email"]))) };
}

function back(change: (parameters: URLSearchParams) => void): ProviderAttack {
  return { back: change };
}
