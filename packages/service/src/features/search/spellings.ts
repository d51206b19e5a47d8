import type pg from "pg";
import { recordKinds } from "@gatehouse-parking/contract/console";
import { lastCharacter } from "../../core/database/sql.js";
import { columnName } from "../../core/entities/columns.js";
import { storedTable } from "../../core/entities/entities.js";

/**
 * Finds references in other upper and lower case. They are compared by their bytes, and an index by lower case would slow every
 * import down. So the existing index is searched for all spellings of the first letters, and those that exist are extended.
 */
interface ReferenceColumn {
  table: string;
  /** Ordered by its bytes, and indexed behind the organization. */
  column: string;
}

/** Each letter has two cases, so one step tries 64 spellings. */
const lettersPerStep = 6;
const maxSpellings = 16;

async function storedSpellings(
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

/** For indexes that are not in byte order: every spelling of few letters, or all letters in one case. */
function likelySpellings(typed: string): string[] {
  const [piece = "", ...more] = cut(typed);
  return more.length === 0 ? spell(piece) : [typed.toLowerCase(), typed.toUpperCase()];
}

/** Beginnings in other upper and lower case: every spelling of the first letters, with the rest in one case. */
export function spellBeginning(text: string): string[] {
  const [piece = "", ...more] = cut(text);
  const rest = more.join("");
  const ends = [...new Set([rest, rest.toUpperCase(), rest.toLowerCase()])];
  return spell(piece).flatMap((spelled) => ends.map((end) => spelled + end));
}

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

/** The first spelling is the given one. */
function spell(piece: string): string[] {
  let spelled = [""];
  for (const character of piece) {
    const cases = casesOf(character);
    spelled = cases.flatMap((oneCase) => spelled.map((beginning) => beginning + oneCase));
  }
  return spelled;
}

/** Without cases of several letters. */
function casesOf(character: string): string[] {
  const lower = character.toLowerCase();
  const other = lower === character ? character.toUpperCase() : lower;
  return other === character || other.length !== character.length ? [character] : [character, other];
}

const maxCaseSpellings = 5;

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

/** In references that are not used for matching, whose indexes are not in byte order. */
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
