import type pg from "pg";
import { copyInto } from "../../../core/database/copy-rows.js";
import { TextRows } from "../../../core/database/copy-text.js";
import { isRowRefused } from "../../../core/database/sqlstate.js";
import { PipelineQueue } from "../../../core/database/pipeline-queue.js";
import { invalidInput } from "../../../core/refusals/user-error.js";
import type { Section } from "../../../core/stored-tables/section.js";
import { columnsOf, encodeRow } from "./encode-row.js";
import type { Line } from "./read-lines.js";

const maxRows = 5_000;
const maxBytes = 4 * 1024 * 1024;

/** Writes lines into their tables by COPY, a few thousand at a time. */
export class TableFiller {
  readonly #client: pg.PoolClient;
  readonly #organizationId: string;
  #section: Section | undefined;
  #rows = new TextRows();
  #lines: number[] = [];
  #bytes = 0;
  #sent: Promise<void> = Promise.resolve();
  /** The newest identifier in any line, and the number of that line. */
  newest = { uuid: "", line: 0, kind: "" };

  constructor(client: pg.PoolClient, organizationId: string) {
    this.#client = client;
    this.#organizationId = organizationId;
  }

  async add(section: Section, line: Line): Promise<void> {
    if (section !== this.#section || this.#lines.length >= maxRows || this.#bytes >= maxBytes)
      await this.#send();
    this.#section = section;
    const { values, newest } = encodeRow(section, line);
    if (newest > this.newest.uuid) this.newest = { uuid: newest, line: line.number, kind: section.kind };
    this.#rows.add([this.#organizationId, ...values].join("\t"));
    this.#lines.push(line.number);
    this.#bytes += line.bytes.length;
  }

  /** Resolves when all added lines are stored. */
  async finish(): Promise<void> {
    await this.#send();
    await this.#sent;
  }

  /** The next lines are read while the database stores these. */
  async #send(): Promise<void> {
    const section = this.#section;
    if (section === undefined || this.#lines.length === 0) return;
    await this.#sent;
    const statement = copyInto(section.table, ["organization_id", ...columnsOf(section)], this.#rows);
    const lines = this.#lines;
    this.#sent = new PipelineQueue(this.#client).send(statement).catch((error: unknown) => {
      throw explained(error, section, lines);
    });
    // The rejection reaches the caller that awaits this promise.
    this.#sent.catch(() => undefined);
    this.#rows = new TextRows();
    this.#lines = [];
    this.#bytes = 0;
  }
}

/** Names the line, the section and the field of a value that the database rejected. */
function explained(error: unknown, section: Section, lines: readonly number[]): unknown {
  if (!isRowRefused(error)) return error;
  const [, copied, inCopy] = /^COPY \w+, line (\d+)(?:, column (\w+))?/m.exec(error.where ?? "") ?? [];
  const refused = error.detail === undefined ? error.message : `${error.message}. ${error.detail}`;
  const inKey = /^Key \(([^)]*)\)/.exec(error.detail ?? "")?.[1]?.split(", ") ?? [];
  const columns = [inCopy ?? error.column, ...inKey];
  const fields = section.fields.filter(({ column }) => columns.includes(column)).map(({ name }) => name);
  const why = `(${section.kind}): ${fields.length === 0 ? "" : `${fields.join(" and ")}: `}${refused}`;
  const [first, last] = [lines[0], lines.at(-1)];
  const number = copied === undefined ? undefined : lines[Number(copied) - 1];
  // The worker of a cluster does not report which line it was.
  const isOneOfMany = number === undefined && first !== last;
  return invalidInput(isOneOfMany ? `Lines ${first} to ${last} ${why}` : `Line ${number ?? first} ${why}`);
}
