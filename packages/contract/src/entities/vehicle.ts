import type { Static } from "typebox";
import { Type } from "../schema/type.js";
import { plateKey } from "../checking/formats.js";
import { ReasonCode } from "../reason-codes.js";
import { anyMetadata, integer, licensePlate, optional, text } from "../schema/fields.js";
import { describeEntity } from "./entity.js";

export const Vehicle = Type.Object(
  {
    licensePlate: licensePlate(32, {
      description: "Matched by its letters and digits, in upper case.",
      examples: ["ABC 1234"],
    }),
    state: optional(text(8, { description: "State or province code.", examples: ["NY"] })),
    year: optional(integer({ minimum: -2147483648, maximum: 2147483647 })),
    make: optional(text(64)),
    model: optional(text(64)),
    color: optional(text(32)),
    type: optional(text(32)),
    metadata: anyMetadata(),
  },
  { $id: "Vehicle", description: "A vehicle." },
);
export type Vehicle = Static<typeof Vehicle>;

export const vehicle = describeEntity({
  name: "vehicle",
  plural: "vehicles",
  noun: "a vehicle",
  schema: Vehicle,
  matchedBy: [{ field: "licensePlate", via: "plate", toKey: plateKey }],
  relations: [],
  notFound: ReasonCode.VehicleNotFound,
});
