import type { ReasonCode } from "../reason-codes.js";

/**
 * The description of an entity: fields, key, references and matching rules. Columns, lookups, reference checks,
 * differences, record pages, search, mapping fields and documents derive from it, and so do the endpoints that import
 * the entity. A new field is one line in its schema.
 */
export interface EntityDescription<Name extends string = string> {
  name: Name;
  /** The name of the resource, its table and its field in `createdEntities`. */
  plural: `${Name}s`;
  /** Its name in messages to partners, with the article. */
  noun: string;
  schema: { $id?: string; properties: object; required?: readonly string[] | undefined };
  /** How batches of it are imported. Absent: it occurs only inside other records. */
  imported?: ImportDescription;
  /** Fields that are used on import and not stored as sent. */
  unstoredFields?: readonly string[];
  /** The dedup key, for entities that are imported separately. */
  key?: string;
  /** The field that names one of the organization's locations. */
  locationField?: string;
  /** The timestamp field that is also stored in the location's local time. */
  localTimeOf?: string;
  /** Fields with personal data, deleted when the person is erased. Absent: none; "all" if the entity is a person. */
  personalFields?: readonly string[] | "all";
  /** A field with its non-unique name in the partner's system; people search by it. */
  otherReference?: string;
  /** The fields that match a nested object with a stored entity, in this order. */
  matchedBy: readonly Match[];
  /** In the order in which their problems are reported. */
  relations: readonly RelationDescription<Name>[];
  /** The reason code for a reference to an unknown one. Absent: nothing can refer to it. */
  notFound?: ReasonCode;
}

export interface ImportDescription {
  /** Its number in the interface. */
  resource: number;
  /** The maximum number of records per batch. */
  maxRecords: number;
}

export interface Match {
  field: string;
  /** The label of such a link on the record page. */
  via: "reference" | "email" | "phone" | "plate";
  /** The canonical form of a value. Absent: the value itself. */
  toKey?: (text: string) => string;
  /** Whether a search text could be such a value. Absent: any text could. */
  couldBe?: (typed: string) => boolean;
}

/** A relation is resolved by uuid if one is given, then by third-party reference, then from the nested object. */
export interface RelationDescription<Name extends string = string> {
  name: Name;
  to: EntityDescription<Name>;
  uuidField: string;
  /** The field with the key of the other entity. */
  referenceField?: string;
  /** The field with the nested object, which is matched or created. */
  nestedField?: string;
  /** A record without it fails. A nested object without it uses the record's, or is dropped. */
  isRequired?: true;
}

/** Fields that are stored only as the link that they resolve to. */
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

/** Checks a description against the type and keeps its precise types. */
export function describeEntity<const Description extends EntityDescription>(
  description: Description,
): Description {
  return description;
}
