import { maxMetadataDepth } from "@gatehouse-parking/contract";
import { shownName } from "../shown-name.js";
import { place, textOf, type Draft } from "./draft.js";
import { problemOf, type RowProblem } from "./problems.js";
import type { FieldNames } from "./field-names.js";
import { ObjectReader } from "./object-reader.js";

/** Metadata lies at most two levels below a record; what is nested deeper in it is refused wherever it is sent. */
export const maxPathLevels = maxMetadataDepth + 2;

/** A draft that is put together from values by name, and what was wrong with the names. */
export class Assembly {
  readonly draft: Draft = new Map();
  /** Names that no field has. */
  readonly unknown: string[] = [];
  /** Paths that were given twice, by objects or values that cannot both be kept. */
  readonly repeated: string[] = [];
  /** What else is wrong with the row. */
  readonly problems: RowProblem[] = [];
  readonly reader = new ObjectReader();
  readonly #names: FieldNames;
  /** Whether a JSON text counts as not given. */
  readonly isEmpty: (text: string) => boolean;

  constructor(names: FieldNames, isEmpty: (text: string) => boolean = () => false) {
    this.#names = names;
    this.isEmpty = isEmpty;
  }

  putNamed(name: string, text: string): void {
    const path = this.#names.pathOf(name);
    if (path === undefined) this.unknown.push(name);
    else this.put(path, text);
  }

  /** Puts a value at a path of the contract. The members of an object that is given whole are named ones again. */
  put(path: string, text: string): void {
    if (this.isEmpty(text)) return;
    const levels = path.split(".");
    if (levels.length > maxPathLevels) {
      const problem = `must not be nested deeper than ${maxMetadataDepth} levels`;
      this.problems.push(problemOf("", `${shownName(path)} ${problem}`));
      return;
    }
    const members = this.#names.isObject(path) ? this.reader.objectIn(text) : undefined;
    // The object itself is there even if it has no members.
    const conflict = place(this.draft, levels, members ? new Map() : text, this.reader);
    if (conflict !== undefined) this.repeated.push(conflict);
    for (const [name, member] of members ?? []) this.putNamed(`${path}.${name}`, textOf(member));
  }
}
