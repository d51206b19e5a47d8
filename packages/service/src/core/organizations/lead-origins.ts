import { invalidInput } from "../refusals/user-error.js";

const maxLeadOrigins = 20;

/** The origins that may submit leads, of a key or of an organization. */
export function checkOrigins(origins: readonly string[]): string[] {
  if (origins.length > maxLeadOrigins) throw invalidInput(`There can be at most ${maxLeadOrigins} origins`);
  return origins.map(checkOrigin);
}

/** An origin is scheme, host and port, and is kept as browsers send it: in lower case, without a usual port. */
function checkOrigin(origin: string): string {
  const url =
    /^https?:\/\/[^/?#@\s\\]+\/?$/i.test(origin) && URL.canParse(origin) ? new URL(origin) : undefined;
  if (!url) throw invalidInput(`"${origin}" is not an origin such as https://www.example.com`);
  return url.origin;
}
