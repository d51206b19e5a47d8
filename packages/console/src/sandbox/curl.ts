import type { SampleRequest } from "@gatehouse-parking/contract/console";
import { curl } from "../ui/curl.js";

/** A request as a command for a shell. A key in it is replaced by the variable people keep theirs in. */
export function curlOf(origin: string, request: SampleRequest): string {
  const lines = [`${curl(origin)} -X ${request.method} ${quote(origin + request.path)}`];
  for (const [name, value] of Object.entries(request.headers)) {
    lines.push(
      name.toLowerCase() === "x-api-key"
        ? `-H "X-API-KEY: $GATEHOUSE_API_KEY"`
        : `-H ${quote(`${name}: ${value}`)}`,
    );
  }
  if (request.body !== null) lines.push(`--data-binary ${quote(request.body)}`);
  return lines.join(" \\\n  ");
}

/** Inside single quotes a shell reads nothing, so only the quote itself needs care. */
function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
