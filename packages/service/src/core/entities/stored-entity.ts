import type { Entity, EntityDescription, EntityPlural, Match, Relation } from "@gatehouse-parking/contract";
import { columnName, columnsOf, type Column } from "./columns.js";

/** How an entity lies in the database: everything that its description in the contract leaves open. */
export interface StoredTable {
  entity: EntityDescription;
  table: string;
  /** The columns that its fields fill. */
  columns: readonly Column[];
  /** Where each value that the entity is recognized by can be looked up. */
  matches: readonly MatchColumn[];
}

/** One that is imported, by itself or inside the records of others. */
export interface StoredEntity extends StoredTable {
  entity: Entity;
  table: EntityPlural;
  /** The columns that an object nested in an imported record fills. */
  nestedColumns: readonly Column[];
  links: readonly LinkColumns[];
  /** Only what is imported on its own has one: that of the record as it was sent. */
  hasFingerprint: boolean;
  page: Page;
}

/** How a record is named on a page. SQL speaks of the row as `record`, and of its organization as $1. */
export interface Page {
  /** What people call it by. */
  reference: string;
  /** A short line beside it. */
  title: string;
  /** What the filter of types looks at. */
  typeColumn?: string;
}

export interface MatchColumn {
  match: Match;
  column: string;
  /** Whether the column is beside the field's own, because it holds another form of the value. */
  isDerived: boolean;
}

export interface LinkColumns {
  relation: Relation;
  id: string;
  /** How the link came about. */
  via: string | undefined;
}

/** For fields that are matched in another form than the one they are sent in. */
type KeyColumns = Record<string, string>;

export interface StorageOptions {
  page: Page;
  keyColumns?: KeyColumns;
  /** Whether it is stored how each link came about. */
  tracesLinks?: true;
}

export function storeTable(entity: EntityDescription, keyColumns: KeyColumns = {}): StoredTable {
  return {
    entity,
    table: entity.plural,
    columns: columnsOf(entity),
    matches: entity.matchedBy.map((match) => {
      const derived = keyColumns[match.field];
      return { match, column: derived ?? columnName(match.field), isDerived: derived !== undefined };
    }),
  };
}

export function storeEntity(entity: Entity, options: StorageOptions): StoredEntity {
  return {
    ...storeTable(entity, options.keyColumns),
    entity,
    table: entity.plural,
    nestedColumns: columnsOf(entity, [entity.name]),
    links: entity.relations.map((relation) => ({
      relation,
      id: `${relation.name}_id`,
      via: options.tracesLinks ? `${relation.name}_via` : undefined,
    })),
    hasFingerprint: entity.key !== undefined,
    page: options.page,
  };
}
