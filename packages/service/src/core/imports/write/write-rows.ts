import { copyInto } from "../../database/copy-rows.js";
import type { Statement } from "../../database/pipeline.js";
import { storedEntities } from "../../entities/entities.js";
import { columnsOfTable, type Rows } from "./encode.js";

const tables = storedEntities.map((stored) => ({ name: stored.table, columns: columnsOfTable(stored) }));

/** Everything goes in by COPY, one a table, so the number of statements does not depend on the records. */
export function rowStatements(rows: Rows): Statement[] {
  return tables
    .filter(({ name }) => rows[name].count > 0)
    .map(({ name, columns }) => copyInto(name, columns, rows[name]));
}
