import { transaction } from "@gatehouse-parking/contract";
import { storeEntity } from "./stored-entity.js";

export const storedTransaction = storeEntity(transaction, {
  tracesLinks: true,
  localTimeOf: "transactionDate",
});
