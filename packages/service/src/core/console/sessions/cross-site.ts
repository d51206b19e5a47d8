import type { FastifyRequest } from "fastify";
import { isSecure } from "../../server/https-only.js";
import { UserError } from "../../refusals/user-error.js";

/**
 * A write counts only if a page of this origin sent it. Browsers say so in Sec-Fetch-Site, which a page
 * cannot forge. For browsers that do not send it, Origin is checked. SameSite=Strict cookies and JSON bodies
 * are two further protections.
 */
export function refuseCrossSite(request: FastifyRequest, publicUrl: string | undefined): void {
  const site = request.headers["sec-fetch-site"];
  const isOwnPage = site === undefined ? isOwnOrigin(request, publicUrl) : site === "same-origin";
  if (!isOwnPage) throw new UserError("crossSite");
}

/**
 * A download writes an audit entry in the name of its user, so a page of another origin or a link in a
 * message must not start one. Browsers that do not send Sec-Fetch-Site send no Origin with a GET either, so
 * only SameSite=Strict protects there.
 */
export function refuseForeignDownload(request: FastifyRequest): void {
  const site = request.headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin") throw new UserError("crossSite");
}

/** The public origin is ours too: a proxy in front of the service may use another name for it. */
function isOwnOrigin(request: FastifyRequest, publicUrl: string | undefined): boolean {
  const { origin } = request.headers;
  if (origin !== undefined && origin === publicUrl) return true;
  const own = `${isSecure(request) ? "https" : "http"}://${request.host}`;
  return origin !== undefined && URL.canParse(own) && origin === new URL(own).origin;
}
