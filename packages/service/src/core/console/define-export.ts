import { maxExportedRows } from "@gatehouse-parking/contract";
import { consoleOperations, type ConsoleOperationName } from "@gatehouse-parking/contract/console";
import type { FastifyInstance } from "fastify";
import type pg from "pg";
import { writeAudit } from "../audit/audit.js";
import { transaction } from "../database/transaction.js";
import { begun, exportList, type Exported, type PageReader } from "../downloads/export-list.js";
import { rowFormat, type ExportFormat, type RowFormat } from "../downloads/row-format.js";
import type { AskedPage } from "../paging/pages.js";
import { invalidInput } from "../refusals/user-error.js";
import { untilAnswered } from "../operations/answer-lifetime.js";
import { KeyedSemaphore, type SemaphoreLimits } from "../scheduling/keyed-semaphore.js";
import { defineConsoleOperation, type ConsoleCall } from "./define-operation.js";
import { auditDownload, fileTypes, sendPieces } from "./download.js";
import { CallerBudget, type CallerLimits } from "./limits.js";

/** The operations that exportOf defines. */
export type ExportName = {
  [Name in ConsoleOperationName]: (typeof consoleOperations)[Name] extends {
    path: `${string}.:format`;
    query: object;
  }
    ? Name
    : never;
}[ConsoleOperationName];

interface ListExport<Name extends ExportName, Row> {
  /** The prefix of the audit actions: noun.download and noun.downloaded. */
  noun: string;
  fileName: (call: ConsoleCall<Name>) => string;
  format: (format: ExportFormat, call: ConsoleCall<Name>) => RowFormat<Row>;
  read: (call: ConsoleCall<Name>) => PageReader<Row>;
  /** The number of rows per read of lists with large rows. */
  rowsPerRead?: (format: ExportFormat) => number;
}

export interface ExportLimits {
  /**
   * How many pages of one organization are read at the same time. Between pages, a download waits for its
   * client without holding a permit.
   */
  reads: SemaphoreLimits;
  /** Concurrent downloads per user. */
  person: CallerLimits;
  /** The maximum duration of a download. */
  maxMs: number;
}

const usualLimits: ExportLimits = {
  reads: { perKey: 2, overall: Number.POSITIVE_INFINITY, maxWaiting: 200, maxWaitMs: 10_000 },
  person: { perMinute: Number.POSITIVE_INFINITY, atOnce: 2 },
  maxMs: 15 * 60_000,
};

/** The exports of all lists share these limits. */
export function createDefineExport(pool: pg.Pool, limits = usualLimits) {
  const semaphore = new KeyedSemaphore(limits.reads);
  const people = new CallerBudget(limits.person);

  /** Registers the export of a list: who, which list, which filters go to the audit log first, how many rows last. */
  return function defineExport<Name extends ExportName, Row>(
    app: FastifyInstance,
    name: Name,
    list: ListExport<Name, Row>,
  ): void {
    defineConsoleOperation(app, name, async (call) => {
      const { actor, reply, request } = call;
      const organizationId = request.organization?.id ?? null;
      const { format } = call.params as { format: ExportFormat };
      people.enter(call.person.id, reply);
      const over = untilAnswered(reply);
      const readPage = list.read(call);
      const inTurn: PageReader<Row> = (cursor, limit) =>
        semaphore.run(organizationId ?? call.person.id, () => readPage(cursor, limit), over);
      const rowsPerRead = list.rowsPerRead?.(format);
      const read = await begun(inTurn, rowsPerRead);
      const onEnd = (exported: Exported) =>
        transaction(pool, (client) =>
          writeAudit(client, {
            organizationId,
            actor,
            action: `${list.noun}.downloaded`,
            detail: { format, ...exported },
          }),
        );
      void reply.header("gatehouse-max-rows", maxExportedRows);
      await auditDownload(pool, request, {
        action: `${list.noun}.download`,
        detail: { format, ...toldFilters(name, call.query as Record<string, unknown>) },
      });
      return sendPieces(request, reply, {
        fileName: `${list.fileName(call)}.${format}`,
        contentType: fileTypes[format],
        pieces: exportList(read, list.format(format, call), { rowsPerRead, onEnd }),
        maxMs: limits.maxMs,
      });
    });
  };
}

/** The values of such filters may be personal data, so the audit log gets only the filter names. */
function toldFilters(name: ExportName, query: Record<string, unknown>) {
  const { properties } = consoleOperations[name].query as unknown as {
    properties: Record<string, { type?: string; format?: string; enum?: unknown }>;
  };
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const isTyped = (field: string): boolean => {
    const { type, format, enum: words } = properties[field] ?? {};
    return type === "string" && format === undefined && words === undefined;
  };
  const filters = given.filter(([field]) => !isTyped(field));
  const searched = given.map(([field]) => field).filter(isTyped);
  return {
    ...(filters.length > 0 && { filters: Object.fromEntries(filters) }),
    ...(searched.length > 0 && { searched }),
  };
}

export type DefineExport = ReturnType<typeof createDefineExport>;

/** Only clients that edit a row need its version. */
export function formatOf(item: object) {
  return (format: ExportFormat) => rowFormat(item, format, { without: ["version"] });
}

export function cursorReader<Query extends AskedPage, Row>(
  query: Query,
  read: (asked: Query & { limit: number }) => ReturnType<PageReader<Row>>,
): PageReader<Row> {
  return (cursor, limit) => read({ ...pageAfter(query, cursor), limit });
}

/** The cursor of the next page when a list is read from one end to the other. */
function pageAfter<Asked extends AskedPage>(asked: Asked, cursor: string | undefined): Asked {
  const [onwards, back, order] =
    asked.sort === "oldest"
      ? (["after", "before", "newest"] as const)
      : (["before", "after", "oldest"] as const);
  if (asked[back] !== undefined)
    throw invalidInput(
      `${back} is for the order that begins with the ${order}; use ${onwards} or reverse the order`,
    );
  return { ...asked, [onwards]: cursor ?? asked[onwards] };
}
