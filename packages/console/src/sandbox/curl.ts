import type { SampleRequest } from "@gatehouse-parking/contract/console";
import type { Interface } from "../session/origin.js";
import { curl } from "../ui/authority.js";

/** The variables that people keep their keys in. A broken key is sent as it is, for it is the point. */
const keyVariables = { full: "GATEHOUSE_API_KEY", limited: "GATEHOUSE_LIMITED_API_KEY" };

/** A request as a command for a shell, which gets the answer that the sample shows. */
export function curlOf(api: Interface, request: SampleRequest): string {
  const { method, path, isSecure, body, trailingSpaces } = request;
  const begin = isSecure ? `${curl(api)} -X ${method}` : `curl -X ${method}`;
  const lines = [`${begin} ${quote((isSecure ? api.origin : api.plainOrigin) + path)}`];
  for (const [name, value] of Object.entries(request.headers)) lines.push(headerOf(request, name, value));
  if (body !== null) lines.push(`--data-binary ${trailingSpaces === 0 ? quote(body) : "@-"}`);
  const command = lines.join(" \\\n  ");
  // No command line is long enough for the body, so that it is made on the way.
  return trailingSpaces === 0
    ? command
    : `printf '%s%${trailingSpaces}s' ${quote(body ?? "")} '' | ${command}`;
}

function headerOf({ key }: SampleRequest, name: string, value: string): string {
  const isVariable = name.toLowerCase() === "x-api-key" && (key === "full" || key === "limited");
  return isVariable ? `-H "X-API-KEY: $${keyVariables[key]}"` : `-H ${quote(`${name}: ${value}`)}`;
}

/** What to set before the command is run. */
export function neededKey({ key }: SampleRequest): string | undefined {
  if (key === "full") return `Set ${keyVariables.full} to an API key with all permissions.`;
  if (key === "limited")
    return `Set ${keyVariables.limited} to an API key that only has the permission imports:read.`;
  return undefined;
}

/** Inside single quotes a shell reads nothing, so only the quote itself needs care. */
function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
