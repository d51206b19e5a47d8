import {
  closeBrace,
  closeBracket,
  colon,
  comma,
  openBrace,
  openBracket,
  quote,
} from "@gatehouse-parking/json-text";
import type { PieceReader } from "./json-pieces.js";
import { inputError } from "./refusals.js";
import type { Row } from "./table.js";

/** Arrays in deeper objects are not looked for. */
export const maxObjectDepth = 5;

/** An array inside the object of a file. */
export interface FoundArray {
  /** The names of the members that lead to it. */
  path: readonly string[];
  /** Whether its first item is an object. */
  holdsObjects: boolean;
}

/** Finds the arrays in the object at the current position. The caller must consume the items of each. */
export async function* arraysIn(
  reader: PieceReader,
  path: readonly string[] = [],
): AsyncGenerator<FoundArray> {
  reader.next();
  for (let mark = await reader.skipSpace(); mark !== closeBrace;) {
    const inner = [...path, await memberName(reader)];
    const start = await reader.skipSpace();
    if (start === openBracket) {
      reader.next();
      yield { path: inner, holdsObjects: (await reader.skipSpace()) === openBrace };
    } else if (start === openBrace && inner.length < maxObjectDepth) yield* arraysIn(reader, inner);
    else await reader.takeValidValue();
    mark = await reader.skipSpace();
    if (mark === comma) reader.next();
    else if (mark !== closeBrace) throw inputError(reader.line, "jsonExpected", { what: "commaOrEnd" });
  }
  reader.next();
}

async function memberName(reader: PieceReader): Promise<string> {
  if ((await reader.skipSpace()) !== quote)
    throw inputError(reader.line, "jsonExpected", { what: "memberName" });
  const name = JSON.parse(await reader.takeValidValue()) as string;
  if ((await reader.skipSpace()) !== colon) throw inputError(reader.line, "jsonExpected", { what: "colon" });
  reader.next();
  return name;
}

/** Yields the items of an array after its opening bracket one by one, so the array may have any length. */
export async function* itemsIn(reader: PieceReader): AsyncGenerator<Row> {
  if ((await reader.skipSpace()) === closeBracket) {
    reader.next();
    return;
  }
  for (;;) {
    await reader.skipSpace();
    const line = reader.line;
    const record = await reader.takeValidValue();
    const mark = await reader.skipSpace();
    if (mark !== comma && mark !== closeBracket) throw inputError(line, "jsonExpected", { what: "comma" });
    yield { line, cells: [record], isJson: true };
    reader.next();
    if (mark === closeBracket) return;
  }
}
