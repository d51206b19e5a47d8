import type pg from "pg";
import { TimeSlice } from "../../core/scheduling/time-slice.js";
import { frameLine, HashChain, linesPerMark as defaultLinesPerMark, type End } from "./format.js";
import { boundAt, markLine, sectionsFrom, type Position } from "./position.js";
import { readPage } from "../../core/stored-tables/read-section.js";
import type { Section } from "../../core/stored-tables/section.js";

/**
 * The sections in order, each sorted by its key, with a mark at regular distances and at the end of each
 * section. The marks depend only on the rows, so a continued export produces the same file.
 */
export async function* exportLines(
  client: pg.ClientBase,
  begun: Position,
  sections: readonly Section[],
  linesPerMark = defaultLinesPerMark,
): AsyncGenerator<string> {
  const position: Position = { ...begun, lines: { ...begun.lines } };
  const chain = new HashChain(position.sha256);
  const budget = new TimeSlice();
  const mark = (): string => {
    position.sha256 = chain.mark();
    return markLine(position);
  };

  for (const section of sectionsFrom(position, sections)) {
    for await (const lines of sectionLines(client, section, position, linesPerMark)) {
      // Reading, hashing and sending take a millisecond or two each. Other work can run between them.
      await budget.giveWay();
      chain.add(lines);
      await budget.giveWay();
      yield lines;
      if (isFull(position, section, linesPerMark)) yield mark();
    }
    position.section = sections[sections.indexOf(section) + 1]?.kind ?? null;
    position.after = null;
    yield mark();
  }
  const end: End = {
    kind: "end",
    lines: position.lines,
    uploadsLeftOut: await countLeftOut(client, position.organizationId, sections),
    sha256: position.sha256,
  };
  yield frameLine(end);
}

function isFull({ lines }: Position, { kind }: Section, linesPerMark: number): boolean {
  return (lines[kind] ?? 0) % linesPerMark === 0;
}

/** Advances the position with every page. No page crosses the next mark. */
async function* sectionLines(
  client: pg.ClientBase,
  section: Section,
  position: Position,
  linesPerMark: number,
): AsyncGenerator<string> {
  const { organizationId } = position;
  const bound = boundAt(position, section);
  const { kind } = section;
  position.lines[kind] ??= 0;
  if (bound === undefined) return;
  for (;;) {
    const before: number = position.lines[kind] ?? 0;
    const atMost = linesPerMark - (before % linesPerMark);
    const after = position.after ?? undefined;
    const { lines, last } = await readPage(client, section, { organizationId, after, bound, atMost });
    if (last === undefined) return;
    position.lines[kind] = before + lines.length;
    position.after = last;
    yield lines.join("");
  }
}

/** Only uploads that still have their file. */
async function countLeftOut(
  client: pg.ClientBase,
  organizationId: string,
  sections: readonly Section[],
): Promise<number> {
  const uploads = sections.find(({ kind }) => kind === "upload");
  if (!uploads?.only) return 0;
  const { rows } = await client.query<{ rows: number }>(
    `select count(*)::float8 as rows from ${uploads.table} as stored where organization_id = $1 and not ${uploads.only}`,
    [organizationId],
  );
  return rows[0]?.rows ?? 0;
}
