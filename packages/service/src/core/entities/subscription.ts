import { subscription } from "@gatehouse-parking/contract";
import { storeEntity } from "./stored-entity.js";

export const storedSubscription = storeEntity(subscription, {
  page: {
    reference: "record.tp_reference_id",
    title: `concat_ws(', ',
      (select name from accounts where organization_id = $1 and id = record.account_id),
      record.permit_number, record.permit_type)`,
    typeColumn: "status",
  },
});
