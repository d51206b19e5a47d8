import { pluralize } from "../ui/format.js";

export const texts = {
  title: "Locations",
  description: "Each transaction keeps the time zone that its location had when it was imported.",
  importCsv: "Import CSV",
  add: "Add location",
  columns: {
    name: "Name",
    address: "Address",
    city: "City",
    state: "State",
    zipcode: "Zip code",
    timeZone: "Time zone",
    tpReferenceId: "Third-party reference",
  },
  inactive: "inactive",
  filter: "Name, address or city",
  filterHint: "Every word must appear in the name, address or city.",
  empty: {
    title: "No locations yet",
    text: "Transactions and leads need a location. Add one here or import a CSV file.",
    action: "Add the first location",
  },
  /** Fields whose name says less. */
  fields: {
    state: "State or province",
    zipcode: "Zip code",
    tpReferenceId: "Third-party reference",
    isActive: "Active",
  } as Record<string, string>,
  fieldHelp: {
    tpReferenceId: "Your own ID for this location, returned as tpReferenceId.",
    isActive: "Inactive locations stay in the list and still accept records.",
  } as Record<string, string>,
  choice: "Location",
  form: {
    copyUuid: "Copy locationUuid",
    required: "Required",
    zoneChanged: (before: string, after: string) =>
      `Stored transactions keep ${before}. Only new ones will use ${after}.`,
    timeZone: "Time zone",
    timeZoneHelp: "An IANA time zone. It determines the local day and hour of a transaction.",
    timeZoneHint: "Type a city or region",
    loadingZones: "Loading time zones",
    noZone: "No matching time zone",
    save: "Save changes",
    cancel: "Cancel",
    saved: (name: string) => `${name} has been saved.`,
  },
  import: {
    title: "Import locations",
    description:
      "The file has one location per line and a header like the example. Existing locations with the same third-party reference, or the same name and address, are updated.",
    drop: "Drop a CSV file of locations here",
    example: "Example file",
    line: "Line",
    outcome: "Will be",
    counts: ({ created, updated, unchanged }: { created: number; updated: number; unchanged: number }) =>
      `${created} created, ${updated} updated, ${unchanged} unchanged`,
    preview: "Preview",
    ready: (counts: string) => `Ready: ${counts}.`,
    blocked: "The file is imported as a whole or not at all. Correct these lines and drop the file again.",
    submit: (count: number) => `Import ${pluralize(count, "location")}`,
    done: (counts: string) => `Imported: ${counts}.`,
  },
};
