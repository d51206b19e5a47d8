import { account } from "@gatehouse-parking/contract";
import { storeEntity } from "./stored-entity.js";

export const storedAccount = storeEntity(account, {
  page: { reference: "record.tp_reference_id", title: "record.name", typeColumn: "type" },
});
