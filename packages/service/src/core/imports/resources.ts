import {
  compileRecordCheck,
  entities,
  importResourceNames,
  importResources,
  type CheckOptions,
  type Entity,
  type ImportResource,
  type ImportResourceName,
  type OperationName,
  type RecordCheck,
} from "@gatehouse-parking/contract";
import { columnName } from "../entities/columns.js";

/** A resource that can be imported. The rest of this folder is the same for all resources. */
export interface ResourceDefinition {
  name: ImportResourceName;
  entity: Entity;
  /** For the beginning of a sentence, such as "A transaction". */
  noun: string;
  number: ImportResource;
  importOperation: OperationName;
  validateOperation: OperationName;
  maxRecords: number;
  keyField: string;
  keyColumn: string;
  check: RecordCheck;
}

/** The names of all fields of records and nested objects. */
export const fieldNames: ReadonlySet<string> = new Set(
  entities.flatMap(({ schema }) => Object.keys(schema.properties)),
);

const checkOptions: CheckOptions = {
  uuidFormat: "looked up",
  nested: Object.fromEntries(entities.map(({ schema }) => [schema.$id, schema])),
};

function define(name: ImportResourceName): ResourceDefinition {
  const { resource: number, ...published } = importResources[name];
  const { entity, keyField } = published;
  return {
    name,
    number,
    ...published,
    noun: entity.noun.replace(/^a/, "A"),
    keyColumn: columnName(keyField),
    check: compileRecordCheck(entity.schema, checkOptions),
  };
}

export const resources: readonly ResourceDefinition[] = importResourceNames.map(define);

export function resourceOf(number: ImportResource): ResourceDefinition {
  return resources.find((resource) => resource.number === number) as ResourceDefinition;
}
