import type { Static } from "typebox";
import { Type } from "./type.js";
import { paged } from "./answers.js";
import { uuid } from "./fields.js";

export const Location = Type.Object(
  {
    uuid: uuid({ description: "The locationUuid of the other operations." }),
    name: Type.String(),
    address: Type.String(),
    city: Type.String(),
    state: Type.String(),
    zipcode: Type.String(),
    timeZone: Type.String({ description: "IANA zone name.", examples: ["America/New_York"] }),
    isActive: Type.Boolean(),
    tpReferenceId: Type.String({ description: "External id on file; empty if there is none." }),
  },
  { $id: "Location" },
);
export type Location = Static<typeof Location>;

export const LocationPage = paged("LocationPage", "Location", {} as Location);
