import { entities, type Entity } from "../entities/entities.js";
import { enumNames, type FieldSchema } from "../schema/fields.js";
import type { RecordKind } from "./records.js";

/** What the pages know of a kind of record. It is plain data, so that they need not load the schemas for it. */
export interface RecordFacts {
  singular: string;
  /** The field that its reference comes from. */
  referenceField: string;
  hasLocation: boolean;
  /** The names of the values of each field that is an enumeration. */
  enumerations: Record<string, Readonly<Record<string, number>>>;
}

export const recordFacts = Object.fromEntries(
  entities.map((entity) => [entity.plural, factsOf(entity)]),
) as Record<RecordKind, RecordFacts>;

function factsOf({ name, matchedBy, locationField, schema }: Entity): RecordFacts {
  const fields = Object.entries(schema.properties as Record<string, FieldSchema>);
  return {
    singular: name,
    referenceField: matchedBy[0]?.field ?? "",
    hasLocation: locationField !== undefined,
    enumerations: Object.fromEntries(
      fields.flatMap(([field, { [enumNames]: values }]) => (values ? [[field, values]] : [])),
    ),
  };
}
