import type { ErrorName } from "@gatehouse-parking/contract";
import { Refused } from "./refused.js";

/** A refusal by the parts that speak HTTP: the answer can have headers of its own. */
export class RequestRefused extends Refused {
  override name = "RequestRefused";
  readonly headers: Record<string, string>;

  constructor(
    refusal: ErrorName,
    { details, headers = {} }: { details?: string[]; headers?: Record<string, string> } = {},
  ) {
    super(refusal, details);
    this.headers = headers;
  }
}
