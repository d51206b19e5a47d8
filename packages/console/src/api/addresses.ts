import {
  consoleOperations,
  type ConsoleOperation,
  type ConsoleOperationName,
} from "@gatehouse-parking/contract/console";

/** Method and path of every operation. The build puts these alone into the pages; see vite.config.ts. */
export const addresses: Record<
  ConsoleOperationName,
  Pick<ConsoleOperation, "method" | "path">
> = consoleOperations;
