import type { Entity, EntityDescription, EntityPlural, Match, Relation } from "@gatehouse-parking/contract";
import { columnName, columnsOf, type Column } from "./columns.js";

/** The table of an entity. */
export interface StoredTable {
  entity: EntityDescription;
  table: string;
  /** The columns of its fields. */
  columns: readonly Column[];
  /** The columns for matching. */
  matches: readonly MatchColumn[];
}

/** An entity that is imported on its own endpoint or nested in records. */
export interface StoredEntity extends StoredTable {
  entity: Entity;
  table: EntityPlural;
  /** The columns of an object that is nested in a record. */
  nestedColumns: readonly Column[];
  links: readonly LinkColumns[];
  /** Only entities with an endpoint have one. */
  hasFingerprint: boolean;
  page: Page;
}

/** SQL expressions for the name of a record on a page. The row is `record`, its organization $1. */
export interface Page {
  reference: string;
  title: string;
  /** The column of the type filter. */
  typeColumn?: string;
}

export interface MatchColumn {
  match: Match;
  column: string;
  /** Whether it is a separate column with a normalized value. */
  isDerived: boolean;
}

export interface LinkColumns {
  relation: Relation;
  id: string;
  /** The column that tells how the link was resolved. */
  via: string | undefined;
}

/** Columns of normalized values, by field. */
type KeyColumns = Record<string, string>;

export interface StorageOptions {
  page: Page;
  keyColumns?: KeyColumns;
  /** Whether to store how each link was resolved. */
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
