import { ReasonCode, type ImportResourceName } from "@gatehouse-parking/contract";
import type { RowProblem } from "../refusals.js";
import { checkRecord } from "./check.js";
import { FieldNames, fieldTrees } from "./fields.js";
import type { Mapping } from "./mapping.js";
import { take, textOf, type ObjectReader, type RecordTree } from "./record-builder.js";

/** The fields that a mapping leaves out where their value is not valid. */
export class OptionalFields {
  readonly #resource: ImportResourceName;
  readonly #paths: readonly string[];

  constructor(mapping: Mapping, resource: ImportResourceName) {
    this.#resource = resource;
    const names = new FieldNames(fieldTrees[resource]);
    this.#paths = [...mapping.columns.values()]
      .flat()
      .filter(({ isLeftOutOnProblem }) => isLeftOutOnProblem)
      .map(({ to }) => names.pathOf(to) ?? to)
      .toSorted((one, other) => other.length - one.length);
  }

  /** Removes what can be left out, and returns it. `problems` keeps the rest. */
  leaveOut(draft: RecordTree, reader: ObjectReader, problems: RowProblem[]): readonly RowProblem[] {
    if (this.#paths.length === 0) return [];
    const leftOut: RowProblem[] = [];
    for (const problem of problems.splice(0)) {
      const path = this.#ownerOf(problem.path);
      if (path === undefined) problems.push(problem);
      else {
        take(draft, path.split("."), reader);
        leftOut.push({ ...problem, path });
      }
    }
    return problems.length > 0 ? [] : [...leftOut, ...this.#leaveOutInvalid(draft, reader)];
  }

  /** Repeats the record check, because an object may be incomplete without a field. */
  #leaveOutInvalid(draft: RecordTree, reader: ObjectReader): RowProblem[] {
    const leftOut: RowProblem[] = [];
    for (;;) {
      const { problems } = checkRecord(this.#resource, textOf(draft));
      const found = problems.flatMap(({ path, reasonCode, message }) => {
        const removable = this.#removableFor(path, reasonCode === ReasonCode.MissingRequiredField);
        const removed = removable === undefined ? undefined : take(draft, removable.split("."), reader);
        if (removable === undefined || removed === undefined) return [];
        const value = removed.startsWith('"') ? (JSON.parse(removed) as string) : removed;
        return [{ path: removable, value, code: "notValid", data: { message } } satisfies RowProblem];
      });
      if (found.length === 0) return leftOut;
      leftOut.push(...found);
    }
  }

  /** If an object lacks a field that it needs, the whole object is left out. */
  #removableFor(path: string, isMissing: boolean): string | undefined {
    for (const name of path.split(" or ")) {
      const owner = this.#ownerOf(name);
      if (owner === undefined) continue;
      const isOwn = isMissing && owner === name;
      return isOwn ? name.slice(0, Math.max(0, name.lastIndexOf("."))) : owner;
    }
    return undefined;
  }

  /** The longest path that can be left out and contains this one. */
  #ownerOf(path: string): string | undefined {
    return this.#paths.find((known) => path === known || path.startsWith(`${known}.`));
  }
}
