import type pg from "pg";
import type { RecordDetail, RecordKind, RecordLink } from "@gatehouse-parking/contract/console";
import { storedEntities, storedTable } from "../entities/entities.js";
import { pageKinds, type LinkTarget, type StoredRecord } from "./page-kinds.js";

interface LinkRow {
  id: string;
  reference: string | null;
  title: string | null;
}

const shownLinkedRecords = 10;

/** The records that a record links to, each found by its primary key. */
export async function linksOf(
  pool: pg.Pool,
  organizationId: string,
  kind: RecordKind,
  row: StoredRecord,
): Promise<RecordLink[]> {
  const links: RecordLink[] = [];
  const described = storedTable(kind).links;
  for (const [target, column] of Object.entries(pageKinds[kind].links)) {
    const id = row[column];
    if (typeof id !== "string") continue;
    const { rows } = await pool.query<LinkRow>(
      `${selectLink(target as LinkTarget)} where record.organization_id = $1 and record.id = $2`,
      [organizationId, id],
    );
    const viaColumn = described.find((link) => link.id === column)?.via;
    const via = viaColumn === undefined ? undefined : row[viaColumn];
    if (rows[0])
      links.push({
        ...toLink(target as LinkTarget, rows[0]),
        ...(typeof via === "string" ? { via } : {}),
      });
  }
  return links;
}

/** The kinds that link to others, in the order of the page. */
const linkingKinds = storedEntities.filter(({ links }) => links.length > 0).map(({ table }) => table);

/** The records that link to a record: the newest few of each kind. */
export async function linkedFrom(
  pool: pg.Pool,
  organizationId: string,
  kind: RecordKind,
  id: string,
): Promise<RecordDetail["linkedFrom"]> {
  const groups: RecordDetail["linkedFrom"] = [];
  for (const other of linkingKinds) {
    const column = pageKinds[other].links[kind as LinkTarget];
    if (!column) continue;
    const { rows } = await pool.query<LinkRow>(
      `${selectLink(other)} where record.organization_id = $1 and record.${column} = $2
       order by record.id desc limit ${shownLinkedRecords + 1}`,
      [organizationId, id],
    );
    groups.push({
      kind: other,
      data: rows.slice(0, shownLinkedRecords).map((row) => toLink(other, row)),
      hasMore: rows.length > shownLinkedRecords,
    });
  }
  return groups;
}

function selectLink(target: LinkTarget | RecordKind): string {
  const { reference, title } =
    target === "locations"
      ? { reference: "record.tp_reference_id", title: "record.name" }
      : pageKinds[target];
  return `select record.id, ${reference} as reference, ${title} as title from ${target} as record`;
}

function toLink<Kind extends RecordLink["kind"]>(kind: Kind, row: LinkRow): RecordLink & { kind: Kind } {
  return { kind, uuid: row.id, reference: row.reference ?? "", title: row.title ?? "" };
}
