import { againstCopy, describeRound } from "./harness/against-copy.js";

export const title = "importTransactions, 500 records a batch, 4 clients, against COPY of the same rows";
export const goal = 0.5;
export const measure = againstCopy({ clients: 4, onlyKeys: false });
export { describeRound };
