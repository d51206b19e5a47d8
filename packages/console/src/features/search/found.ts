import type { Suggestion } from "@gatehouse-parking/contract/console";
import { isRecordKind, kinds } from "../../core/records/record-kinds.js";
import { texts } from "./texts.js";

type Found = Pick<Suggestion, "kind" | "uuid">;

const pages = {
  runs: "/imports",
  leads: "/leads",
  locations: "/locations",
  "api-keys": "/settings/api-keys",
};

export function pageOf({ kind, uuid }: Found): string {
  return isRecordKind(kind) ? `/records/${kind}/${uuid}` : `${pages[kind]}/${uuid}`;
}

export function describeKind(kind: Found["kind"]): string {
  return isRecordKind(kind) ? kinds[kind].singular : texts.kinds[kind];
}
