import { locationHints, type LocationHint } from "../../record/column-target.js";
import type { Column } from "../columns.js";
import type { Draft, SuggestedTarget } from "../draft.js";

/** More unknown locations than a person answers one by one, and more choices than fit a list. */
const maxAsked = 10;
const maxChoices = 50;

export function locationTarget(column: Column, path: string, draft: Draft): SuggestedTarget {
  const { name, values } = column;
  const { index, locations = [] } = draft;
  if (!index) return { to: path, location: "any" };
  const fits = (hint: LocationHint) => values.every(({ value }) => "uuid" in index.find(value, hint));
  const hint = locationHints.find(fits);
  if (hint === "uuid") return path;
  if (hint !== undefined) return { to: path, location: hint };
  const unknown = values.filter(({ value }) => !("uuid" in index.find(value, "any")));
  const leaveOut = (wanted: readonly string[]) => ({
    id: "leave-out-rows",
    patch: { leaveOut: [{ column: name, values: [...wanted] }] },
  });
  if (unknown.length <= maxAsked && locations.length <= maxChoices)
    for (const { value, rows } of unknown)
      draft.ask({
        id: `location:${name}:${value}`,
        code: "unknownLocation",
        data: { column: name, value },
        ...{ rows: Math.round(rows), columns: [name], values: [value] },
        choices: [
          ...locations.map((location) => ({
            id: location.name,
            patch: { columns: { [name]: { values: { [value]: location.uuid } } } },
          })),
          leaveOut([value]),
        ],
      });
  else
    draft.ask({
      id: `locations:${name}`,
      code: "unknownLocations",
      data: { column: name, values: unknown.map(({ value, rows }) => ({ value, count: Math.round(rows) })) },
      rows: Math.round(unknown.reduce((sum, { rows }) => sum + rows, 0)),
      columns: [name],
      values: unknown.map(({ value }) => value),
      choices: [leaveOut(unknown.map(({ value }) => value)), { id: "reject", patch: {} }],
    });
  return { to: path, location: "any", values: {} };
}
