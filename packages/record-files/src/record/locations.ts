import type { RowRefusal } from "../refusals.js";
import type { LocationHint } from "./column-target.js";

/** A location as the service lists it. */
export interface KnownLocation {
  uuid: string;
  name: string;
  tpReferenceId: string;
  timeZone: string;
}

/** Finds locations by uuid, reference or name. */
export class LocationIndex {
  readonly #byHint: Readonly<Record<Exclude<LocationHint, "any">, ReadonlyMap<string, Set<string>>>>;

  constructor(locations: readonly KnownLocation[]) {
    this.#byHint = {
      uuid: indexOf(locations, ({ uuid }) => uuid),
      tpReferenceId: indexOf(locations, ({ tpReferenceId }) => tpReferenceId),
      name: indexOf(locations, ({ name }) => name),
    };
  }

  /** Returns the uuid or the problem. If several locations match, none is used. */
  find(text: string, hint: LocationHint): { uuid: string } | RowRefusal {
    const hints = hint === "any" ? (["uuid", "tpReferenceId", "name"] as const) : [hint];
    for (const one of hints) {
      const [uuid, other] = this.#byHint[one].get(plain(text)) ?? [];
      if (other !== undefined) return { code: "ambiguousLocation", data: { by: one } };
      if (uuid !== undefined) return { uuid };
    }
    const by = hint === "any" ? "uuid, tpReferenceId or name" : hint;
    return { code: "unknownLocation", data: { by } };
  }
}

/** Accepts every location, so that everything else about the records can be checked. */
export class LenientLocations extends LocationIndex {
  /** Undefined: a location that is not known stands for itself. */
  readonly #unknown: string | undefined;

  constructor(locations: readonly KnownLocation[] = [], unknown?: string) {
    super(locations);
    this.#unknown = unknown;
  }

  override find(text: string, hint: LocationHint): { uuid: string } {
    const found = super.find(text, hint);
    return "uuid" in found ? found : { uuid: this.#unknown ?? text };
  }
}

/** Stands for locations that are not known. */
export const unknownLocation = "00000000-0000-4000-8000-000000000000";

/** The zone of times without one. "location" is the zone of each location, by UUID. */
export function zoneFor<Zone extends string | undefined>(
  timeZone: Zone,
  locations: readonly KnownLocation[] = [],
): Zone | ReadonlyMap<string, string> {
  if (timeZone !== "location") return timeZone;
  return new Map(locations.map(({ uuid, timeZone: zone }) => [uuid.toLowerCase(), zone]));
}

function indexOf(
  locations: readonly KnownLocation[],
  textOf: (location: KnownLocation) => string,
): ReadonlyMap<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const location of locations) {
    const text = plain(textOf(location));
    if (text !== "") found.set(text, (found.get(text) ?? new Set()).add(location.uuid));
  }
  return found;
}

function plain(text: string): string {
  return text.trim().toLowerCase();
}
