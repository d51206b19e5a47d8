import type { EntityDescription } from "../entities/entity.js";
import { entities, lead, location, type Entity } from "../entities/entities.js";
import { enumNames, type FieldSchema } from "../schema/fields.js";
import type { RecordKind } from "./records.js";

/** The facts about a kind of record that the pages need. Plain data, so that pages need not load the schemas. */
export interface RecordFacts {
  singular: string;
  /** The field that holds its reference. */
  referenceField: string;
  hasLocation: boolean;
  amounts: readonly string[];
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
    amounts: fields.flatMap(([field, { type }]) => ([type].flat()[0] === "number" ? [field] : [])),
    enumerations: Object.fromEntries(
      fields.flatMap(([field, { [enumNames]: values }]) => (values ? [[field, values]] : [])),
    ),
  };
}

/** A field of a form or a page, without the schema. */
export interface FieldFacts {
  name: string;
  /** The type of its JSON value: "string", "boolean", "integer", "number" or "object". */
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
