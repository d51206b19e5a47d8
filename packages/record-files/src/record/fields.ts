import {
  enumNames,
  importResources,
  type Entity,
  type FieldSchema,
  type ImportResourceName,
} from "@gatehouse-parking/contract";

/** What a value of one field has to become; `names` are those of an enumeration. */
export interface Field {
  kind: "text" | "time" | "amount" | "integer" | "flag" | "metadata";
  names?: Readonly<Record<string, number>>;
  /** Whether a time may be a date alone. */
  takesDates?: boolean;
}

/** The fields of a record by name, and the objects nested in it. */
export interface FieldTree {
  fields: ReadonlyMap<string, Field>;
  nested: ReadonlyMap<string, FieldTree>;
}

export const fieldTrees = Object.fromEntries(
  Object.entries(importResources).map(([name, { entity }]) => [name, treeOf(entity)]),
) as Readonly<Record<ImportResourceName, FieldTree>>;

/** The contract's description says what each column has to become, so a field that is added there is known here. */
function treeOf(entity: Entity): FieldTree {
  const fields = new Map<string, Field>();
  const nested = new Map<string, FieldTree>();
  for (const [name, field] of Object.entries(entity.schema.properties as Record<string, FieldSchema>)) {
    const relation = entity.relations.find(({ nestedField }) => nestedField === name);
    const names = field[enumNames];
    if (relation) nested.set(name, treeOf(relation.to));
    else {
      const takesDates = field.format === "date-or-timestamp";
      fields.set(name, {
        kind: kindOf(field),
        ...(names ? { names } : {}),
        ...(takesDates ? { takesDates } : {}),
      });
    }
  }
  return { fields, nested };
}

function kindOf(field: FieldSchema): Field["kind"] {
  const [type] = [field.type].flat();
  if (type === "boolean") return "flag";
  if (type === "integer") return "integer";
  if (type === "number") return "amount";
  if (type === "object") return "metadata";
  return field.format === "timestamp" || field.format === "date-or-timestamp" ? "time" : "text";
}

/** What the value at a path has to become; undefined for objects and what is in metadata. */
export function fieldAt(tree: FieldTree, path: string): Field | undefined {
  const [name = "", ...rest] = path.split(".");
  const inner = rest.length > 0 ? tree.nested.get(name) : undefined;
  if (rest.length > 0) return inner && fieldAt(inner, rest.join("."));
  return tree.fields.get(name);
}

/** Every path that a column can be named after, such as vehicle.licensePlate. */
export function knownPaths(tree: FieldTree, prefix = ""): string[] {
  return [
    ...[...tree.fields.keys()].map((name) => prefix + name),
    ...[...tree.nested].flatMap(([name, inner]) => [
      prefix + name,
      ...knownPaths(inner, `${prefix}${name}.`),
    ]),
  ];
}
