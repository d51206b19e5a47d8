import type { ReasonCode } from "../reason-codes.js";

/**
 * What an entity is: its fields, its key, what it refers to and how it is recognized. Columns, look-ups, the judgement of
 * references, differences, record pages, search, the fields of mappings and the documents all derive from this
 * description, and so does every endpoint that imports it; a new field is a line of its schema and nothing else.
 */
export interface EntityDescription<Name extends string = string> {
  name: Name;
  /** The name of the resource, of its table and of its member of `createdEntities`. */
  plural: `${Name}s`;
  /** What partners are told that it is, with its article. */
  noun: string;
  schema: { $id?: string; properties: object; required?: readonly string[] | undefined };
  /** How batches of it are imported. Absent: it only comes inside the records of others. */
  imported?: ImportDescription;
  /** Fields that are used when it comes in, and not stored as they were sent. */
  unstoredFields?: readonly string[];
  /** The dedup key, where the entity can be imported on its own. */
  key?: string;
  /** The field that names one of the organization's locations. */
  locationField?: string;
  /** The field whose moment is also kept as the clock at the location showed it. */
  localTimeOf?: string;
  /** Fields that tell of a person and are forgotten with them. Absent: none; "all" where the entity is a person. */
  personalFields?: readonly string[] | "all";
  /** A field that names it in the partner's own system without being unique; people search by it. */
  otherReference?: string;
  /** What an object that is nested in a record is recognized by, in this order. */
  matchedBy: readonly Match[];
  /** In the order in which problems with them are reported. */
  relations: readonly RelationDescription<Name>[];
  /** Why a record fails that names one that does not exist. Absent: nothing can refer to it. */
  notFound?: ReasonCode;
}

export interface ImportDescription {
  /** Its number on the wire. */
  resource: number;
  /** How many records a batch may have. */
  maxRecords: number;
}

export interface Match {
  field: string;
  /** What the record page calls a link that came about by it. */
  via: "reference" | "email" | "phone" | "plate";
  /** The form that all spellings of the same value share. Absent: the value as it is. */
  toKey?: (text: string) => string;
  /** Whether something that a person typed could be such a value. Absent: anything could. */
  couldBe?: (typed: string) => boolean;
}

/** A relation is resolved by uuid if one is given, then by third-party reference, then from the nested object. */
export interface RelationDescription<Name extends string = string> {
  name: Name;
  to: EntityDescription<Name>;
  uuidField: string;
  /** Names the other by its key. */
  referenceField?: string;
  /** Holds the other itself, which is matched and otherwise created. */
  nestedField?: string;
  /** A record without it fails. A nested object without it takes the record's, or is dropped. */
  isRequired?: true;
}

/** Fields that are stored as the link they resolve to or not at all, and not as sent. */
export function relationFields(entity: EntityDescription): ReadonlySet<string> {
  const fields = entity.relations.flatMap(({ uuidField, referenceField, nestedField }) => [
    uuidField,
    referenceField,
    nestedField,
  ]);
  return new Set(
    [entity.locationField, ...(entity.unstoredFields ?? []), ...fields].filter(
      (field) => field !== undefined,
    ),
  );
}

/** Keeps the precise types of a description and holds it to its shape. */
export function describeEntity<const Description extends EntityDescription>(
  description: Description,
): Description {
  return description;
}
