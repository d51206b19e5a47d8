import {
  type ConsoleOperation,
  type ConsoleOperationName,
  consoleOperations,
} from "@gatehouse-parking/contract/console";

/**
 * Method and path of every operation. The build replaces this module with plain data, without the schemas
 * (vite.config.ts).
 */
export const addresses: Record<
  ConsoleOperationName,
  Pick<ConsoleOperation, "method" | "path">
> = consoleOperations;
