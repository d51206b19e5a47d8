import type pg from "pg";
import { recordKinds } from "@gatehouse-parking/contract/console";
import { columnName } from "../../core/entities/columns.js";
import { storedTable } from "../../core/entities/entities.js";

/**
 * How a reference is stored that was typed in other upper and lower case. References are compared by their bytes, and an
 * index by lower case would cost every import, so the index that is there is walked: of the ways to write the first
 * letters, those go on that a stored reference begins with.
 */
export interface ReferenceColumn {
  table: string;
  /** Ordered by its bytes, and indexed behind the organization. */
  column: string;
}

/** How many letters one step tries: two ways to write each, so 64 in all. */
const lettersPerStep = 6;
const maxSpellings = 16;
/** Greater than every character a reference can go on with. */
const lastCharacter = "chr(1114111)";

export async function storedSpellings(
  pool: pg.Pool,
  organizationId: string,
  { table, column }: ReferenceColumn,
  typed: string,
): Promise<string[]> {
  const pieces = cut(typed);
  let beginnings = [""];
  for (const [index, piece] of pieces.entries()) {
    const candidates = beginnings.flatMap((beginning) => spell(piece).map((spelled) => beginning + spelled));
    const isWhole = index === pieces.length - 1;
    const condition = isWhole
      ? `${column} = candidate collate "C"`
      : `${column} >= candidate collate "C" and ${column} < candidate || ${lastCharacter} collate "C"`;
    const { rows } = await pool.query<{ candidate: string }>(
      // A limit keeps the planner from reading all references of the organization and joining them.
      `select candidate from unnest($2::text[]) as candidate
       cross join lateral (select from ${table} where organization_id = $1 and ${condition} limit 1) as stored
       limit ${maxSpellings}`,
      [organizationId, candidates],
    );
    beginnings = rows.map(({ candidate }) => candidate);
    if (beginnings.length === 0) return [];
  }
  return beginnings;
}

/** Where the order of the index is not that of the bytes: every spelling of few letters, or all in one case. */
export function likelySpellings(typed: string): string[] {
  const [piece = "", ...more] = cut(typed);
  return more.length === 0 ? spell(piece) : [typed.toLowerCase(), typed.toUpperCase()];
}

/** Pieces of so few letters that all their spellings can be tried. */
function cut(text: string): string[] {
  const pieces: string[] = [];
  let piece = "";
  let letters = 0;
  for (const character of text) {
    if (casesOf(character).length > 1) letters += 1;
    if (letters > lettersPerStep) {
      pieces.push(piece);
      piece = "";
      letters = 1;
    }
    piece += character;
  }
  return [...pieces, piece];
}

/** Every way to write a piece; the first one is as it is. */
function spell(piece: string): string[] {
  let spelled = [""];
  for (const character of piece) {
    const cases = casesOf(character);
    spelled = cases.flatMap((oneCase) => spelled.map((beginning) => beginning + oneCase));
  }
  return spelled;
}

/** A letter as it is, and in its other case if that is one letter, too. */
function casesOf(character: string): string[] {
  const lower = character.toLowerCase();
  const other = lower === character ? character.toUpperCase() : lower;
  return other === character || other.length !== character.length ? [character] : [character, other];
}

/** How many spellings of a reference are tried that differ only in upper and lower case. */
const maxCaseSpellings = 5;

/** Where references are kept to the letter. */
const referenceColumns: ReferenceColumn[] = [
  ...recordKinds.flatMap((kind) => {
    const { table, matches } = storedTable(kind);
    return matches.filter(({ match }) => match.via === "reference").map(({ column }) => ({ table, column }));
  }),
  { table: "import_exceptions", column: "reference" },
];

/** The stored references that differ from the text only in upper and lower case. */
export async function findSpellings(pool: pg.Pool, organizationId: string, text: string): Promise<string[]> {
  const found = new Set<string>();
  for (const column of referenceColumns)
    for (const spelling of await storedSpellings(pool, organizationId, column, text)) found.add(spelling);
  for (const spelling of await otherSpellings(pool, organizationId, text)) found.add(spelling);
  found.delete(text);
  return [...found].slice(0, maxCaseSpellings);
}

/** A reference by which nothing is matched is not ordered by its bytes. */
async function otherSpellings(pool: pg.Pool, organizationId: string, text: string): Promise<string[]> {
  const { rows: places } = await pool.query<{ reference: string }>(
    `select distinct tp_reference_id as reference from locations
     where organization_id = $1 and lower(tp_reference_id) = lower($2) limit ${maxCaseSpellings}`,
    [organizationId, text],
  );
  const found = places.map(({ reference }) => reference);
  for (const kind of recordKinds) {
    const { entity, table } = storedTable(kind);
    if (entity.otherReference === undefined) continue;
    const column = columnName(entity.otherReference);
    const { rows } = await pool.query<{ reference: string }>(
      `select distinct ${column} as reference from ${table}
       where organization_id = $1 and ${column} = any ($2::text[]) limit ${maxCaseSpellings}`,
      [organizationId, likelySpellings(text)],
    );
    found.push(...rows.map(({ reference }) => reference));
  }
  return found;
}
