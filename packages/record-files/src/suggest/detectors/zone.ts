import type { Draft } from "../draft.js";
import { namedZone, zoneOfHeaders } from "../targets/time-target.js";

const maxZones = 20;

/** Times without a zone get the zone of their headers or of their locations; otherwise the zone is a question. */
export function decideZone(draft: Draft): void {
  if (draft.zoneless.size === 0) return;
  const columns = [...draft.zoneless];
  const named = zoneOfHeaders(draft);
  const hasLocation = draft.resource === "transactions";
  // One zone holds for the whole file, so columns of different zones are a question.
  const isMixed = named === undefined && columns.some((name) => namedZone(name, draft) !== undefined);
  const zone = named ?? (hasLocation && !isMixed ? "location" : undefined);
  const zones = [...new Set((draft.locations ?? []).map(({ timeZone }) => timeZone))].slice(0, maxZones);
  const all = [
    ...new Set([
      ...(zone === undefined ? [] : [zone]),
      ...(hasLocation ? ["location"] : []),
      "UTC",
      ...zones,
    ]),
  ];
  const rest = {
    rows: draft.profile.rowCount,
    columns: columns.slice(0, 3),
    choices: all.map((id) => ({ id, patch: { timeZone: id } })),
  };
  if (zone === undefined) draft.ask({ id: "zone", code: "zoneAsked", data: { columns }, ...rest });
  else {
    draft.timeZone = zone;
    draft.ask({ id: "zone", code: "zone", data: { columns, zone }, ...rest, assumed: zone });
  }
}
