import { metadataOf, type Draft } from "../draft.js";
import type { Match, Matches } from "../match-columns.js";
import { targetFor } from "../targets/target.js";
import { fieldChoices } from "./unclaimed.js";

/** Maps the columns whose name and values are those of a field. */
export function placeMatches(matches: readonly Match[], draft: Draft): void {
  const byName: { column: string; path: string }[] = [];
  for (const { source, path, isUnsure } of matches) {
    const target = targetFor(source, path, draft);
    const { name, profile, values } = source.column;
    if (target === undefined) {
      draft.put(name, metadataOf(name));
      draft.ask({
        id: `misfit:${name}`,
        code: "misfit",
        data: { column: name, path, values: values.slice(0, 3).map(({ value }) => value) },
        ...{ rows: profile.filled, columns: [name] },
        choices: [
          { id: "metadata", patch: {} },
          { id: "left out", patch: { columns: { [name]: null } } },
        ],
      });
      continue;
    }
    draft.put(name, target);
    if (isUnsure)
      draft.ask({
        id: `unsure:${name}:${path}`,
        code: "columnUnsure",
        data: { column: name, path },
        ...{ rows: profile.filled, columns: [name] },
        choices: [
          { id: path, patch: {} },
          { id: "metadata", patch: { columns: { [name]: metadataOf(name) } } },
        ],
      });
    else byName.push({ column: source.clock ? `${name} + ${source.clock.name}` : name, path });
  }
  const first = matches.filter(({ isUnsure }) => !isUnsure).map(({ source }) => source.column.name);
  if (byName.length > 0)
    draft.ask({
      id: "fields",
      code: "fields",
      data: { columns: byName },
      rows: draft.profile.rowCount,
      columns: [...new Set(first)],
      choices: [{ id: "yes", patch: {} }],
      assumed: "yes",
    });
}

/** Asks which of several columns is a field. The others stay in the metadata. */
export function askAboutMatches(contested: Matches["contested"], draft: Draft): void {
  for (const { path, sources: rivals } of contested) {
    const columns = rivals.map(({ column }) => column.name);
    for (const name of columns) if (!draft.targets.has(name)) draft.put(name, metadataOf(name));
    const choices = rivals.flatMap((source) =>
      fieldChoices(source, { fits: (other) => other === path }, draft).map(({ id, patch }) => ({
        id: id === path ? source.column.name : `${source.column.name} ${id.slice(path.length + 1)}`,
        patch,
      })),
    );
    draft.ask({
      id: `contested:${path}`,
      code: path === "amountTotal" ? "netOrGross" : "contested",
      data: { columns, path },
      rows: draft.profile.rowCount,
      columns: [...new Set(columns)],
      choices: [...choices, ...joinedPlate(path, columns), { id: "none", patch: {} }],
    });
  }
}

/** A plate may be in two columns, such as its letters and its number. */
function joinedPlate(path: string, [first, second, ...others]: readonly string[]) {
  if (!path.endsWith("licensePlate") || first === undefined || second === undefined || others.length > 0)
    return [];
  return [{ id: `${first} + ${second}`, patch: { columns: { [first]: { to: path, with: second } } } }];
}
