import { shownName, shownNames } from "../shown-name.js";
import { knownPaths, type FieldTree } from "./fields.js";

/** What columns, members of JSON records and mapping files may call the fields of a resource. */
export class FieldNames {
  readonly #paths: ReadonlyMap<string, string>;
  readonly #objects: ReadonlySet<string>;
  readonly #plainPaths: readonly { path: string; plainPath: string }[];

  constructor(tree: FieldTree) {
    const paths = knownPaths(tree);
    this.#paths = new Map(paths.map((path) => [path.toLowerCase(), path]));
    this.#plainPaths = [...this.#paths.values()].map((path) => ({ path, plainPath: plain(path) }));
    this.#objects = new Set(paths.map((path) => path.slice(0, Math.max(0, path.lastIndexOf(".")))));
  }

  /** Metadata takes any name below it; everything else must be a field of the contract. Case is forgiven. */
  pathOf(name: string): string | undefined {
    const known = this.#paths.get(name.toLowerCase());
    if (known !== undefined) return known;
    const match = /^((?:[^.]+\.)?metadata)\.(.+)$/i.exec(name);
    const owner = match && this.#paths.get((match[1] as string).toLowerCase());
    return owner ? `${owner}.${match[2] as string}` : undefined;
  }

  /** Whether an object with fields of its own is at this path. */
  isObject(path: string): boolean {
    return this.#objects.has(path);
  }

  /** The first names as a message gives them, each with the field that was probably meant. */
  listOf(names: readonly string[]): string {
    return shownNames(names, (name) => `${shownName(name)}${this.suggestion(name)}`);
  }

  /** The field whose name is closest, if one is close: what is left when separators and case are gone. */
  suggestion(name: string): string {
    const wanted = plain(name);
    const close = this.#plainPaths.find(
      ({ plainPath }) => plainPath === wanted || (wanted.length > 3 && plainPath.endsWith(wanted)),
    );
    return close ? ` (did you mean ${close.path}?)` : "";
  }
}

function plain(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
}
