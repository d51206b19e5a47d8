import { importResources, operations, type ImportResource } from "@gatehouse-parking/contract";
import { curl } from "../ui/curl.js";
import { resourceName } from "./resources.js";

/** Commands to paste into a shell. The key is never on the page again, so it is taken from the environment. */

export function firstImportCommand(origin: string): string {
  return [
    `${curl(origin)} ${origin}${operations.importAccounts.path} \\`,
    `  -H "X-API-KEY: $GATEHOUSE_API_KEY" \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -d '{"accounts":[{"tpReferenceId":"ACME-1","name":"Acme Logistics"}]}'`,
  ].join("\n");
}

export function fetchRunCommand(origin: string, referenceUuid: string): string {
  return [
    `${curl(origin)} ${origin}${operations.getImport.path.replace(":referenceUuid", referenceUuid)} \\`,
    `  -H "X-API-KEY: $GATEHOUSE_API_KEY"`,
  ].join("\n");
}

/** Sends a file of corrected records, as `{"transactions": [...]}`, again. */
export function resendCommand(origin: string, resource: ImportResource): string {
  const name = resourceName(resource);
  return [
    `${curl(origin)} ${origin}${operations[importResources[name].importOperation].path} \\`,
    `  -H "X-API-KEY: $GATEHOUSE_API_KEY" \\`,
    `  -H "Content-Type: application/json" \\`,
    `  --data-binary @corrected-${name}.json`,
  ].join("\n");
}
