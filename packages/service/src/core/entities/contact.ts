import { contact } from "@gatehouse-parking/contract";
import { storeEntity } from "./stored-entity.js";

export const storedContact = storeEntity(contact, {
  keyColumns: { email: "email_key", phoneNumber: "phone_key" },
  page: {
    reference: "coalesce(record.email, record.phone_number)",
    title: "concat_ws(' ', record.first_name, record.last_name)",
  },
});
