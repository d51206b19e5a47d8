import { againstCopy, describeRound } from "./harness/against-copy.js";

export const title =
  "importTransactions, 500 records a batch, 1 client, against COPY into tables with the indexes of their keys only";
export const goal = 0.45;
export const measure = againstCopy({ clients: 1, onlyKeys: true });
export { describeRound };
