import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { RequestRefused } from "../refusals/request-refused.js";
import { renderError } from "../refusals/render-error.js";

/** Node takes no more than this before the body, so no part of an address is longer. */
export const maxAddressLength = 16_384;

/**
 * A % that encodes nothing would be refused by the router before any of our checks, in a shape of its own. Here it
 * stands for itself, so that such an address is looked up, and not found, like any other.
 */
export function readableAddress({ url = "/" }: { url?: string | undefined }): string {
  const [path = ""] = url.split(/[?#]/, 1);
  if (!path.includes("%")) return url;
  try {
    decodeURI(path);
    return url;
  } catch {
    return path.replaceAll("%", "%25") + url.slice(path.length);
  }
}

/** What the router refuses all the same, such as an absolute address without a path. No hook has run for it. */
export function refuseAddress(_error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  void renderError(new RequestRefused("notFound"), request, reply.header("x-request-id", request.id));
}
