/** The build puts the data alone into the pages, without the schemas that it is made from; see vite.config.ts. */
export { recordFacts } from "@gatehouse-parking/contract/console";
