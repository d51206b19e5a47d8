import { Readable } from "node:stream";
import { consoleOperations, type ConsoleOperationName } from "@gatehouse-parking/contract/console";
import type { FastifyInstance, FastifyReply } from "fastify";
import type pg from "pg";
import { writeAudit, type Actor } from "../audit/audit.js";
import { transaction } from "../database/transaction.js";
import { begun, exportList, type PageReader } from "../downloads/export-list.js";
import type { ExportFormat, RowFormat } from "../downloads/row-format.js";
import { untilAnswered } from "../operations/answer-lifetime.js";
import { Turns } from "../scheduling/turns.js";
import { defineConsoleOperation, type ConsoleCall } from "./define-operation.js";
import { fileTypes, sendDownload } from "./download.js";

/** The operations that were made by exportOf. */
export type ExportName = {
  [Name in ConsoleOperationName]: (typeof consoleOperations)[Name] extends {
    path: `${string}.:format`;
    query: object;
  }
    ? Name
    : never;
}[ConsoleOperationName];

interface ListExport<Name extends ExportName, Row> {
  /** Of the audit log's actions: noun.download and noun.downloaded. */
  noun: string;
  fileName: (call: ConsoleCall<Name>) => string;
  format: (format: ExportFormat, call: ConsoleCall<Name>) => RowFormat<Row>;
  read: (call: ConsoleCall<Name>) => PageReader<Row>;
}

/** At the same time, of one organization. Whoever comes then waits for a moment, and is asked to come again. */
const exportTurns = { perKey: 2, overall: Number.POSITIVE_INFINITY, maxWaiting: 100, maxWaitMs: 10_000 };

/** One for all lists of a console. */
export function exportDesk(pool: pg.Pool) {
  const turns = new Turns(exportTurns);

  /** Registers the export of a list: who, which list, which filters go to the audit log first, how many rows last. */
  return function defineExport<Name extends ExportName, Row>(
    app: FastifyInstance,
    name: Name,
    list: ListExport<Name, Row>,
  ): void {
    defineConsoleOperation(app, name, async (call) => {
      const { organizationId = null, actor, reply, request } = call as AnyCall;
      const { format } = call.params as { format: ExportFormat };
      await takeTurn(organizationId ?? call.person.id, reply);
      const read = await begun(list.read(call));
      const content = exportList(read, list.format(format, call), (exported) =>
        transaction(pool, (client) =>
          writeAudit(client, {
            organizationId,
            actor,
            action: `${list.noun}.downloaded`,
            detail: { format, ...exported },
          }),
        ),
      );
      return sendDownload(pool, request, reply, {
        fileName: `${list.fileName(call)}.${format}`,
        contentType: fileTypes[format],
        content: Readable.from(content),
        audited: {
          action: `${list.noun}.download`,
          detail: { format, ...toldFilters(name, call.query as Record<string, unknown>) },
        },
      });
    });
  };

  async function takeTurn(key: string, reply: FastifyReply): Promise<void> {
    const over = untilAnswered(reply);
    const leave = await turns.enter(key, over);
    if (over.aborted) leave();
    else over.addEventListener("abort", leave, { once: true });
  }
}

type AnyCall = Omit<ConsoleCall<ExportName>, "organizationId"> & { organizationId?: string; actor: Actor };

/** What was typed may be somebody's address, which has no place in the audit log: of such filters only the names. */
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
