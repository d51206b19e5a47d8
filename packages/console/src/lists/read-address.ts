const dayMs = 86_400_000;

/** Days of the address are UTC days; the last one is meant whole. A date that is none asks for nothing. */
export function readUtcDays(params: URLSearchParams): { from?: string; to?: string } {
  const from = Date.parse(params.get("from") ?? "");
  const to = Date.parse(params.get("to") ?? "");
  return {
    ...(Number.isNaN(from) ? {} : { from: new Date(from).toISOString() }),
    ...(Number.isNaN(to) ? {} : { to: new Date(to + dayMs).toISOString() }),
  };
}

/** The members of the address that a list takes as they are. */
export function readNamed<Name extends string>(
  params: URLSearchParams,
  names: readonly Name[],
): Partial<Record<Name, string>> {
  const given: Partial<Record<Name, string>> = {};
  for (const name of names) {
    const value = params.get(name);
    if (value) given[name] = value;
  }
  return given;
}
