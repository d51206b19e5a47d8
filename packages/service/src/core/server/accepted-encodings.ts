import type { FastifyRequest } from "fastify";

/** The encodings of an answer that the client has said it reads. */
export function acceptedEncodings(request: FastifyRequest): Set<string> {
  const given = request.headers["accept-encoding"] ?? "";
  const accepted = new Set<string>();
  for (const part of given.split(",")) {
    const [name = "", ...parameters] = part.split(";").map((each) => each.trim().toLowerCase());
    if (!parameters.some(isRefusal)) accepted.add(name);
  }
  return accepted;
}

/** A weight of zero means: not this one. */
function isRefusal(parameter: string): boolean {
  const [name, weight] = parameter.split("=");
  return name === "q" && Number(weight) === 0;
}
