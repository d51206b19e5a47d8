import { copyInto } from "../../database/copy-text.js";
import type { Statement } from "../../database/exchange.js";
import { storedEntities } from "../../entities/entities.js";
import { columnsOfTable, type Lines } from "./encode.js";

const tables = storedEntities.map((stored) => ({ name: stored.table, columns: columnsOfTable(stored) }));

/**
 * Everything goes in by COPY, one a table, so the number of statements does not depend on the records. Rows are sent in
 * the order of their keys: the larger a table, the farther apart random keys lie in its index.
 */
export function rowStatements(lines: Lines): Statement[] {
  return tables
    .filter(({ name }) => lines[name].length > 0)
    .map(({ name, columns }) => copyInto(name, columns, lines[name].toSorted()));
}
