// The console's tests are checked without the files of this folder that they do not import.
// oxlint-disable-next-line typescript/triple-slash-reference
/// <reference path="./oidc-provider.d.ts" />
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Provider } from "oidc-provider";

export interface TestProvider {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Signs in like a user with a browser, and returns the redirect back to the service. */
  signIn(address: string, login: string): Promise<URL>;
  close(): Promise<void>;
}

/** The provider's claims for a login. */
export type ClaimsOf = (login: string) => { email?: string; email_verified?: boolean };

/** A real OpenID provider on this machine. Its pages accept any login and any password. */
export async function startProvider(returnAddress: string, claimsOf: ClaimsOf): Promise<TestProvider> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const clientId = "gatehouse";
  const clientSecret = "a secret of the tests alone";
  const provider = new Provider(issuer, {
    clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [returnAddress] }],
    claims: { openid: ["sub"], email: ["email", "email_verified"] },
    pkce: { required: () => true },
    findAccount: (_context: unknown, id: string) => ({
      accountId: id,
      claims: () => ({ sub: id, ...claimsOf(id) }),
    }),
    cookies: { keys: ["of the tests"] },
  });
  server.on("request", provider.callback());
  return {
    issuer,
    clientId,
    clientSecret,
    signIn: (address, login) => signInAt(address, login, returnAddress),
    close: () => closeServer(server),
  };
}

async function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise<void>((resolve) => server.close(() => resolve()));
}

/** More than the provider has pages. */
const maxSteps = 12;

async function signInAt(start: string, login: string, returnAddress: string): Promise<URL> {
  const cookies = new Map<string, string>();
  let address = start;
  let form: URLSearchParams | undefined;
  for (let step = 0; step < maxSteps; step += 1) {
    if (address.startsWith(returnAddress)) return new URL(address);
    const response = await fetch(address, {
      redirect: "manual",
      headers: { cookie: [...cookies].map((pair) => pair.join("=")).join("; ") },
      ...(form ? { method: "POST", body: form } : {}),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = ""] = cookie.split(";");
      cookies.set(pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1));
    }
    const location = response.headers.get("location");
    const text = await response.text();
    if (location !== null) {
      address = new URL(location, address).href;
      form = undefined;
    } else {
      const prompt = /name="prompt" value="(\w+)"/.exec(text)?.[1];
      const action = /action="([^"]+)"/.exec(text)?.[1];
      if (prompt === undefined || action === undefined) throw new Error(`the provider shows: ${text}`);
      address = new URL(action, address).href;
      form = new URLSearchParams({ prompt, login, password: "any" });
    }
  }
  throw new Error("the provider did not finish the sign-in");
}
