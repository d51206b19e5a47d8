import { account } from "@gatehouse-parking/contract";
import { storeEntity } from "./stored-entity.js";

export const storedAccount = storeEntity(account);
