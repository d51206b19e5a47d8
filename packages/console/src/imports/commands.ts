import { importResources, operations, type ImportResource } from "@gatehouse-parking/contract";
import type { Interface } from "../session/origin.js";
import { curl } from "../ui/authority.js";
import { resourceName } from "./resources.js";

/** Commands to paste into a shell. The key is never on the page again, so it is taken from the environment. */

export function firstImportCommand(api: Interface): string {
  return [
    `${curl(api)} ${api.origin}${operations.importAccounts.path} \\`,
    `  -H "X-API-KEY: $GATEHOUSE_API_KEY" \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -d '{"accounts":[{"tpReferenceId":"ACME-1","name":"Acme Logistics"}]}'`,
  ].join("\n");
}

export function fetchRunCommand(api: Interface, referenceUuid: string): string {
  return [
    `${curl(api)} ${api.origin}${operations.getImport.path.replace(":referenceUuid", referenceUuid)} \\`,
    `  -H "X-API-KEY: $GATEHOUSE_API_KEY"`,
  ].join("\n");
}

/** Sends a file of corrected records, as `{"transactions": [...]}`, again. */
export function resendCommand(api: Interface, resource: ImportResource): string {
  const name = resourceName(resource);
  return [
    `${curl(api)} ${api.origin}${operations[importResources[name].importOperation].path} \\`,
    `  -H "X-API-KEY: $GATEHOUSE_API_KEY" \\`,
    `  -H "Content-Type: application/json" \\`,
    `  --data-binary @corrected-${name}.json`,
  ].join("\n");
}
