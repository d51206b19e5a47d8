import {
  importResourceNames,
  importResources,
  type ImportResource,
  type ImportResourceName,
} from "@gatehouse-parking/contract";
import { kinds } from "../records/kinds.js";

export function resourceName(resource: ImportResource): ImportResourceName {
  return importResourceNames.find((name) => importResources[name].resource === resource) ?? "transactions";
}

/** As it stands at the beginning of a line. */
export function resourceTitle(resource: ImportResource): string {
  return kinds[resourceName(resource)].plural;
}
