import type { SampleRequest } from "@gatehouse-parking/contract/console";
import { curl, type ApiAddress } from "../../core/session/api-address.js";
import { texts } from "./texts.js";

/** Environment variables with API keys. An invalid key is sent literally, because it is the point of its sample. */
const keyVariables = { full: "GATEHOUSE_API_KEY", limited: "GATEHOUSE_LIMITED_API_KEY" };

/** A curl command that gets the same answer as the sample. */
export function curlOf(api: ApiAddress, request: SampleRequest): string {
  const { method, path, isSecure, body, trailingSpaces } = request;
  const begin = isSecure ? `${curl(api)} -X ${method}` : `curl -X ${method}`;
  const lines = [`${begin} ${quote((isSecure ? api.origin : api.plainOrigin) + path)}`];
  for (const [name, value] of Object.entries(request.headers)) lines.push(headerOf(request, name, value));
  if (body !== null) lines.push(`--data-binary ${trailingSpaces === 0 ? quote(body) : "@-"}`);
  const command = lines.join(" \\\n  ");
  // The body is too long for a command line, so printf creates it.
  return trailingSpaces === 0
    ? command
    : `printf '%s%${trailingSpaces}s' ${quote(body ?? "")} '' | ${command}`;
}

function headerOf({ key }: SampleRequest, name: string, value: string): string {
  const isVariable = name.toLowerCase() === "x-api-key" && (key === "full" || key === "limited");
  return isVariable ? `-H "X-API-KEY: $${keyVariables[key]}"` : `-H ${quote(`${name}: ${value}`)}`;
}

/** The variable to set before running the command. */
export function neededKey({ key }: SampleRequest): string | undefined {
  if (key === "full") return texts.key.full(keyVariables.full);
  if (key === "limited") return texts.key.limited(keyVariables.limited);
  return undefined;
}

/** Within single quotes, only the quote itself needs escaping. */
function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
