import { vehicle } from "@gatehouse-parking/contract";
import { storeEntity } from "./stored-entity.js";

export const storedVehicle = storeEntity(vehicle, {
  keyColumns: { licensePlate: "plate_key" },
  page: {
    reference: "record.license_plate",
    title: "concat_ws(' ', record.color, record.make, record.model)",
  },
});
