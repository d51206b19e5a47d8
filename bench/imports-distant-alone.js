import { atADistance, describeRound } from "./harness/distance.js";

export const title =
  "importTransactions of one organization with 5 ms each way to PostgreSQL against none (1 ms beside it)";
export const goal = 0.6;
export const measure = atADistance({ organizations: 1, judgedDelayMs: 5 });
export { describeRound };
