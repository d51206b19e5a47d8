import pg from "pg";
import { CopyRows, copyInto } from "../../database/copy-text.js";
import { StatementQueue } from "../../database/statement-queue.js";
import { InvalidInput } from "../../refusals/invalid-input.js";
import type { Section } from "../section.js";
import { columnsOf, encodeRow } from "./encode-row.js";
import { refuse } from "./read-export.js";
import type { Line } from "./read-lines.js";

const maxRows = 5_000;
const maxBytes = 4 * 1024 * 1024;

/** Puts lines into their tables by COPY, some thousand at a time. */
export class TableFiller {
  readonly #client: pg.ClientBase;
  readonly #organizationId: string;
  #section: Section | undefined;
  #rows = new CopyRows();
  #lines: number[] = [];
  #bytes = 0;
  /** The newest identifier that was in any line. */
  newest = "";

  constructor(client: pg.ClientBase, organizationId: string) {
    this.#client = client;
    this.#organizationId = organizationId;
  }

  async add(section: Section, line: Line): Promise<void> {
    if (section !== this.#section || this.#lines.length >= maxRows || this.#bytes >= maxBytes)
      await this.flush();
    this.#section = section;
    const { values, newest } = encodeRow(section, line);
    if (newest > this.newest) this.newest = newest;
    this.#rows.add([this.#organizationId, ...values].join("\t"));
    this.#lines.push(line.number);
    this.#bytes += line.bytes.length;
  }

  async flush(): Promise<void> {
    const section = this.#section;
    if (section === undefined || this.#lines.length === 0) return;
    const statement = copyInto(section.table, ["organization_id", ...columnsOf(section)], this.#rows);
    try {
      await new StatementQueue(this.#client).send(statement);
    } catch (error) {
      throw this.#explained(error);
    }
    this.#rows = new CopyRows();
    this.#lines = [];
    this.#bytes = 0;
  }

  /** What the database does not take is told by the line of the file that it was in. */
  #explained(error: unknown): unknown {
    if (!(error instanceof pg.DatabaseError) || !/^2[23]/.test(error.code ?? "")) return error;
    const copied = /^COPY \w+, line (\d+)/m.exec(error.where ?? "")?.[1];
    const [first = 0] = this.#lines;
    const why = error.detail === undefined ? error.message : `${error.message}. ${error.detail}`;
    if (copied === undefined)
      return new InvalidInput(`Lines ${first} to ${this.#lines.at(-1) ?? first}: ${why}`);
    try {
      refuse({ number: this.#lines[Number(copied) - 1] ?? first }, why);
    } catch (refused) {
      return refused;
    }
  }
}
