import type pg from "pg";
import { copyLines } from "../../database/copy-text.js";
import { storedEntities } from "../../entities/entities.js";
import { columnsOfTable, type Lines } from "./encode.js";

const tables = storedEntities.map((stored) => ({ name: stored.table, columns: columnsOfTable(stored) }));

/**
 * Everything goes in by COPY, one a table, so the number of statements does not depend on the records. Rows are sent in
 * the order of their keys: the larger a table, the farther apart random keys lie in its index.
 */
export async function writeRows(client: pg.ClientBase, lines: Lines): Promise<void> {
  for (const { name, columns } of tables) await copyLines(client, name, columns, lines[name].toSorted());
}
