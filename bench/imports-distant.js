import { atADistance, describeRound } from "./harness/distance.js";

export const title =
  "importTransactions of 8 organizations with 5 ms each way to PostgreSQL against none (1 ms beside it)";
export const goal = 0.9;
export const measure = atADistance({ organizations: 8, judgedDelayMs: 5 });
export { describeRound };
