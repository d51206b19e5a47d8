/** The build replaces this module with plain data, without the schemas (vite.config.ts). */
export { fieldFacts, recordFacts } from "@gatehouse-parking/contract/console";
