/**
 * DATABASE_URL, read strictly: what the driver would take for something else than it was meant for is refused with a
 * sentence, before a part of a password is looked up as the name of a host. No message repeats any of it.
 */

const likeThis = "must look like postgres://user@host:5432/name";
const needsEncoding =
  "has a character in its user name or password that means something else in an address: percent-encode it (/ is %2F, @ is %40, # is %23, ? is %3F, % is %25), or leave the password out and give it, as it is, in GATEHOUSE_DATABASE_PASSWORD";

/** With what node-postgres makes of them. */
const sslModes = ["disable", "no-verify", "prefer", "require", "verify-ca", "verify-full"];

interface Parts {
  /** Up to and with the two slashes. */
  scheme: string;
  /** Undefined: the address names no user. */
  userInfo: string | undefined;
  hosts: string;
  /** The name of the database, and parameters. */
  rest: string;
}

export function readDatabaseUrl(text: string): string {
  const { scheme, userInfo, hosts, rest } = takeApart(text.trim());
  for (const part of (userInfo ?? "").split(":")) if (!isPercentEncoded(part)) throw new Error(needsEncoding);
  // An empty host is the socket of this machine, or the one of the parameter `host`.
  const isReadable = (host: string): boolean => URL.canParse(`postgres://${host}/`) && host !== "";
  if (rest.includes("#") || (hosts !== "" && !hosts.split(",").every(isReadable))) throw new Error(likeThis);
  const parameters = parametersOf(rest);
  const sslMode = parameters.get("sslmode");
  if (sslMode !== null && !sslModes.includes(sslMode))
    throw new Error(`has sslmode=${sslMode}; it must be one of ${sslModes.join(", ")}`);
  const isPinned = parameters.get("uselibpqcompat") !== "true";
  return joined({ scheme, userInfo, hosts, rest: isPinned ? pinSslMode(rest) : rest });
}

/** Whether the address has a password in it. */
export function hasPassword(databaseUrl: string): boolean {
  const { userInfo, rest } = takeApart(databaseUrl);
  return (userInfo ?? "").includes(":") || parametersOf(rest).has("password");
}

/** Puts a password, as people know it, into an address that has none. */
export function withPassword(databaseUrl: string, password: string): string {
  const { userInfo, ...parts } = takeApart(databaseUrl);
  return joined({ ...parts, userInfo: `${userInfo ?? ""}:${encodeURIComponent(password)}` });
}

/** What stands behind the question mark. */
export function databaseParameters(databaseUrl: string): URLSearchParams {
  return parametersOf(takeApart(databaseUrl).rest);
}

function takeApart(text: string): Parts {
  const [scheme] = /^postgres(?:ql)?:\/\//.exec(text) ?? [];
  if (scheme === undefined) throw new Error("must start with postgres:// or postgresql://");
  const behind = text.slice(scheme.length);
  const [authority = ""] = behind.split(/[/?#]/, 1);
  const rest = behind.slice(authority.length);
  const [before = "", after, ...more] = authority.split("@");
  // A second @, or one behind the host, is a part of the password.
  if (more.length > 0 || rest.includes("@")) throw new Error(needsEncoding);
  return after === undefined
    ? { scheme, userInfo: undefined, hosts: before, rest }
    : { scheme, userInfo: before, hosts: after, rest };
}

function joined({ scheme, userInfo, hosts, rest }: Parts): string {
  return `${scheme}${userInfo === undefined ? "" : `${userInfo}@`}${hosts}${rest}`;
}

function parametersOf(rest: string): URLSearchParams {
  return new URLSearchParams(rest.includes("?") ? rest.slice(rest.indexOf("?")) : "");
}

/**
 * To node-postgres 8 the modes prefer, require and verify-ca mean verify-full, with a warning that its next major release
 * will make them weaker. Spelled out, they keep their meaning whatever the driver's release.
 */
function pinSslMode(rest: string): string {
  return rest.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/g, "$1verify-full");
}

function isPercentEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
