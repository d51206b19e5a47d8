import type { LeadWorkState } from "@gatehouse-parking/contract/console";
import { texts } from "./texts.js";

/** In the order of the workflow. */
export const workStates: readonly { value: LeadWorkState; label: string; color: string }[] = [
  { value: "new", label: texts.statuses.new, color: "blue" },
  { value: "contacted", label: texts.statuses.contacted, color: "violet" },
  { value: "closed", label: texts.statuses.closed, color: "gray" },
];
