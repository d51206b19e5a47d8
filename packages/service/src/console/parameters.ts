import { isUuid } from "@gatehouse-parking/contract";
import type { FastifyRequest } from "fastify";
import { ConsoleRefused } from "../refusals/console-refused.js";

/** Parts of the path. What cannot be an identifier, or is not one of the known words, names nothing: 404. */
export function uuidParameter(request: FastifyRequest, name: string): string {
  const text = parameter(request, name);
  if (!isUuid(text)) throw new ConsoleRefused("notFound");
  return text.toLowerCase();
}

export function wordParameter<const T extends string>(
  request: FastifyRequest,
  name: string,
  words: readonly T[],
): T {
  const found = words.find((word) => word === parameter(request, name));
  if (found === undefined) throw new ConsoleRefused("notFound");
  return found;
}

function parameter(request: FastifyRequest, name: string): string {
  return (request.params as Record<string, string | undefined>)[name] ?? "";
}
