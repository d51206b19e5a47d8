import {
  importResourceNames,
  importResources,
  operations,
  type OperationName,
} from "@gatehouse-parking/contract";
import type { CreatedApiKey } from "@gatehouse-parking/contract/console";
import { recordFacts } from "../records/record-facts.js";
import { curlCommand, type ApiAddress } from "../session/api-address.js";

interface TestCommand {
  command: string;
  /** What the command does. */
  effect: "lists" | "checks" | "fails";
}

const lists: OperationName[] = ["listLocations", "listImports", "listUploads"];

/** A command that stores nothing, for a key with any permissions. */
export function testCommand(
  api: ApiAddress,
  { key, permissions }: Pick<CreatedApiKey, "key" | "permissions">,
): TestCommand {
  const list = lists.find((name) => permissions.includes(operations[name].permission));
  if (list) return { command: curlCommand(api, operations[list].path, undefined, key), effect: "lists" };
  const resource = importResourceNames.find((name) => permissions.includes(`${name}:write`));
  if (resource) {
    const { path } = operations[importResources[resource].validateOperation];
    const body = `-d '{"${resource}":[{"${recordFacts[resource].referenceField}":"TEST-1"}]}'`;
    return { command: curlCommand(api, path, body, key), effect: "checks" };
  }
  return { command: curlCommand(api, operations.submitLead.path, "-d '{}'", key), effect: "fails" };
}
