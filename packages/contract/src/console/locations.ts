import type { Static } from "typebox";
import { Type } from "../schema/type.js";
import { locationPages, maxLocationFileBytes } from "../limits.js";
import { Location, LocationFields } from "../entities/location.js";
import { organization, root, type ConsoleOperation } from "./declare.js";
import { count, editedVersion, searchedText, typed, typedFields, version, word } from "./fields.js";
import { exportOf } from "./exports.js";
import { bothDirections, numberedPage, pageQuery } from "./paging.js";

/** JSON escapes line breaks and quotes, so the request is slightly larger than the file in it. */
const maxFileRequestBytes = maxLocationFileBytes + 1024 * 1024;

export type LocationField = keyof LocationFields;
const { address: _unsorted, ...sortedFields } = LocationFields.properties;
export const locationSorts = Object.keys(sortedFields) as (keyof typeof sortedFields)[];
const filters = {
  query: Type.Optional(searchedText()),
  sort: Type.Optional(word(bothDirections(locationSorts), "A field; with - before it, the last first.")),
};
const LocationsQuery = Type.Object({ ...pageQuery(locationPages), ...filters });
const list = { method: "GET", path: `${organization}/locations`, role: "viewer" } as const;

const CreateLocationRequest = typedFields(LocationFields);
export type CreateLocationRequest = Static<typeof CreateLocationRequest>;

export const EditedLocation = Type.Object(
  { ...Location.properties, version: version() },
  { $id: "EditedLocation" },
);
export type EditedLocation = Static<typeof EditedLocation>;

const LocationFile = Type.Object({
  csv: typed(
    "The text of a CSV file with a header line: name, address, city, state, zipcode, timeZone and optionally tpReferenceId and isActive. A row matches a location by tpReferenceId, or else by name and address. Matching locations are updated; other rows create locations.",
  ),
});

const counts = { created: count(), updated: count(), unchanged: count() };
export const LocationImportAnswer = Type.Object(counts, {
  $id: "LocationImportAnswer",
  description: "Number of locations by result.",
});
export type LocationImportAnswer = Static<typeof LocationImportAnswer>;

const { uuid: _made, ...locationFields } = Location.properties;
export const LocationImportPreview = Type.Object(
  {
    ...counts,
    rows: Type.Array(
      Type.Object({
        line: count(),
        outcome: word(["created", "updated", "unchanged"]),
        fields: Type.Object(locationFields),
      }),
    ),
    problems: Type.Array(Type.String(), { description: 'Each starts with its line, such as "line 3: ...".' }),
    importable: Type.Boolean(),
  },
  {
    $id: "LocationImportPreview",
    description:
      "The effect of the file. A file is imported completely or not at all; with any problem, there are no rows.",
  },
);
export type LocationImportPreview = Static<typeof LocationImportPreview>;

export const locationOperations = {
  listLocations: {
    ...list,
    summary: "Locations",
    query: LocationsQuery,
    answer: numberedPage(Location),
  },
  downloadLocations: exportOf(list, { what: "Locations", query: Type.Object(filters) }),
  createLocation: {
    method: "POST",
    path: `${organization}/locations`,
    role: "admin",
    audited: true,
    summary: "Create a location",
    body: CreateLocationRequest,
    answer: Location,
  },
  getLocation: {
    method: "GET",
    path: `${organization}/locations/:locationUuid`,
    role: "viewer",
    summary: "One location",
    answer: EditedLocation,
  },
  changeLocation: {
    method: "PATCH",
    path: `${organization}/locations/:locationUuid`,
    role: "admin",
    audited: true,
    summary: "Change a location",
    description: "Absent fields do not change; isActive false deactivates.",
    body: Type.Object({ ...Type.Partial(CreateLocationRequest).properties, version: editedVersion() }),
    answer: EditedLocation,
  },
  previewLocationImport: {
    method: "POST",
    path: `${organization}/location-imports/preview`,
    role: "admin",
    summary: "Preview importing a file of locations",
    description: "200 even if there are problems.",
    body: LocationFile,
    maxBytes: maxFileRequestBytes,
    answer: LocationImportPreview,
  },
  importLocations: {
    method: "POST",
    path: `${organization}/location-imports`,
    role: "admin",
    audited: true,
    summary: "Import a file of locations",
    body: LocationFile,
    maxBytes: maxFileRequestBytes,
    answer: LocationImportAnswer,
  },
  listTimeZones: {
    method: "GET",
    path: `${root}/time-zones`,
    role: "viewer",
    summary: "List the time zones",
    answer: Type.Object({ data: Type.Array(Type.String()) }),
  },
} as const satisfies Record<string, ConsoleOperation>;
