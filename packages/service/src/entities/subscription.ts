import { subscription } from "@gatehouse-parking/contract";
import { storeEntity } from "./stored-entity.js";

export const storedSubscription = storeEntity(subscription);
