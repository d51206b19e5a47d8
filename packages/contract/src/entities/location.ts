import type { Static } from "typebox";
import { Type } from "../schema/type.js";
import { paged } from "../schema/answers.js";
import { flag, requiredText, text, timeZone, uuid } from "../schema/fields.js";
import { shownFields } from "../schema/shown-fields.js";
import { describeEntity } from "./entity.js";

/** The fields of a location that people enter, in the console, on the command line or in a file. */
export const LocationFields = Type.Object({
  name: requiredText(200),
  address: requiredText(300),
  city: requiredText(100),
  state: requiredText(100),
  zipcode: requiredText(20),
  timeZone: timeZone({ description: "IANA zone name.", examples: ["America/New_York"] }),
  isActive: Type.Optional(flag({ default: true })),
  tpReferenceId: Type.Optional(
    text(128, { default: "", description: "External id on file; empty if none." }),
  ),
});
export type LocationFields = Static<typeof LocationFields>;

export const location = describeEntity({
  name: "location",
  plural: "locations",
  noun: "a location",
  schema: LocationFields,
  matchedBy: [],
  relations: [],
});

export const Location = Type.Object(
  {
    uuid: uuid({ description: "The locationUuid of the other operations." }),
    ...shownFields(LocationFields),
  },
  { $id: "Location" },
);
export type Location = Static<typeof Location>;

export const LocationPage = paged("LocationPage", "Location", {} as Location);
