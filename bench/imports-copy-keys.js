import { againstCopy, describeRound } from "./harness/against-copy.js";

export const title =
  "importTransactions, 500 records a batch, 4 clients, against COPY into tables with the indexes of their keys only";
export const goal = 0.6;
export const measure = againstCopy({ clients: 4, onlyKeys: true });
export { describeRound };
