import {
  enumNames,
  importResources,
  type Entity,
  type FieldSchema,
  type ImportResourceName,
} from "@gatehouse-parking/contract";
import { maxShownNames } from "../messages.js";
import type { UnknownName, UnknownNames } from "../refusals.js";

/** The type of a field; `names` are those of an enumeration. */
export interface Field {
  kind: "text" | "time" | "amount" | "integer" | "flag" | "metadata";
  names?: Readonly<Record<string, number>>;
  /** Whether a date without a time is allowed. */
  takesDates?: boolean;
  /** Whether the object needs the field. */
  isRequired?: boolean;
}

/** The fields of a record by name, and its nested objects. */
export interface FieldTree {
  fields: ReadonlyMap<string, Field>;
  nested: ReadonlyMap<string, FieldTree>;
}

export const fieldTrees = Object.fromEntries(
  Object.entries(importResources).map(([name, { entity }]) => [name, treeOf(entity)]),
) as Readonly<Record<ImportResourceName, FieldTree>>;

/** Derived from the contract, so new fields need no change here. */
function treeOf(entity: Entity): FieldTree {
  const fields = new Map<string, Field>();
  const nested = new Map<string, FieldTree>();
  const links = entity.relations.filter(({ isRequired }) => isRequired);
  const required = new Set([
    ...(entity.schema.required ?? []),
    ...links.map(({ referenceField }) => referenceField),
  ]);
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
        ...(required.has(name) ? { isRequired: true } : {}),
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

/** The field at a path; undefined for objects and metadata members. */
export function fieldAt(tree: FieldTree, path: string): Field | undefined {
  const [name = "", ...rest] = path.split(".");
  const inner = rest.length > 0 ? tree.nested.get(name) : undefined;
  if (rest.length > 0) return inner && fieldAt(inner, rest.join("."));
  return tree.fields.get(name);
}

/** Every path that a column can have as its name, such as vehicle.licensePlate. */
export function knownPaths(tree: FieldTree, prefix = ""): string[] {
  return [
    ...[...tree.fields.keys()].map((name) => prefix + name),
    ...[...tree.nested].flatMap(([name, inner]) => [
      prefix + name,
      ...knownPaths(inner, `${prefix}${name}.`),
    ]),
  ];
}

/** Resolves the names of columns, JSON members and mapping targets to fields. */
export class FieldNames {
  readonly #paths: ReadonlyMap<string, string>;
  readonly #objects: ReadonlySet<string>;
  readonly #plainPaths: readonly { path: string; plainPath: string }[];

  constructor(tree: FieldTree) {
    const paths = knownPaths(tree);
    this.#paths = new Map(paths.map((path) => [path.toLowerCase(), path]));
    this.#plainPaths = [...this.#paths.values()].map((path) => ({ path, plainPath: plain(path) }));
    this.#objects = new Set(paths.map((path) => path.slice(0, Math.max(0, path.lastIndexOf(".")))));
  }

  /** Metadata accepts any member; all other names must be fields. Case is ignored. */
  pathOf(name: string): string | undefined {
    const known = this.#paths.get(name.toLowerCase());
    if (known !== undefined) return known;
    const match = /^((?:[^.]+\.)?metadata)\.(.+)$/i.exec(name);
    const owner = match && this.#paths.get((match[1] as string).toLowerCase());
    return owner ? `${owner}.${match[2] as string}` : undefined;
  }

  /** Whether the path is an object with fields. */
  isObject(path: string): boolean {
    return this.#objects.has(path);
  }

  /** The first unknown names with suggestions, for messages. */
  unknown(names: readonly string[]): UnknownNames {
    return {
      names: names.slice(0, maxShownNames).map((name) => this.unknownName(name)),
      count: names.length,
    };
  }

  /** Suggests the field whose name matches without separators and case. */
  unknownName(name: string): UnknownName {
    const wanted = plain(name);
    const close = this.#plainPaths.find(
      ({ plainPath }) => plainPath === wanted || (wanted.length > 3 && plainPath.endsWith(wanted)),
    );
    return close ? { name, meant: close.path } : { name };
  }
}

function plain(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
}
