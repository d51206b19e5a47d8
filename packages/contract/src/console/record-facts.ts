import type { EntityDescription } from "../entities/entity.js";
import { entities, lead, location, type Entity } from "../entities/entities.js";
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

/** A field of a form or a page, without the schema. */
export interface FieldFacts {
  name: string;
  /** Of its JSON: "string", "boolean", "integer", "number" or "object". */
  type: string;
  description?: string;
  maxLength?: number;
  isRequired: boolean;
}

export const fieldFacts = { lead: fieldsOf(lead), location: fieldsOf(location) };

function fieldsOf({ schema, unstoredFields = [] }: EntityDescription): FieldFacts[] {
  const properties = Object.entries(
    schema.properties as Record<string, FieldSchema & { description?: string }>,
  );
  return properties
    .filter(([name]) => !unstoredFields.includes(name))
    .map(([name, { type, description, maxLength }]) => ({
      name,
      type: [type].flat()[0] as string,
      ...(description !== undefined && { description }),
      ...(maxLength !== undefined && { maxLength }),
      isRequired: schema.required?.includes(name) ?? false,
    }));
}
