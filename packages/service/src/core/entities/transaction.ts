import { transaction } from "@gatehouse-parking/contract";
import { storeEntity } from "./stored-entity.js";

export const storedTransaction = storeEntity(transaction, {
  tracesLinks: true,
  page: {
    reference: "record.transaction_id",
    title: `(select name from locations where organization_id = $1 and id = record.location_id)
      || ', ' || record.local_date`,
    typeColumn: "type",
  },
});
