import type { ConsoleOperationName } from "@gatehouse-parking/contract/console";
import { addresses } from "./addresses.js";

export type RouteName = ConsoleOperationName;
export type PathParameters = Record<string, string>;
export type QueryParameters = Record<string, string | number | boolean | null | undefined>;

export const methodOf = (name: RouteName) => addresses[name].method;

/** The address of a route, with its parameters filled in. */
export function addressOf(name: RouteName, parameters: PathParameters, query: QueryParameters = {}): string {
  const path = addresses[name].path.replaceAll(/:(\w+)/g, (_, parameter: string) => {
    const value = parameters[parameter];
    if (value === undefined) throw new Error(`${name} needs ${parameter}`);
    return encodeURIComponent(value);
  });
  const search = new URLSearchParams();
  for (const [parameter, value] of Object.entries(query)) {
    if (value !== null && value !== undefined && value !== "") search.set(parameter, String(value));
  }
  return search.size > 0 ? `${path}?${search.toString()}` : path;
}
