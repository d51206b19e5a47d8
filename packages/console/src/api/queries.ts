import { useMutation, useQuery, useQueryClient, type UseQueryResult } from "@tanstack/react-query";
import { useState } from "react";
import type { AnswerOf, QueryOf } from "@gatehouse-parking/contract/console";
import { useOptionalOrganization } from "../session/organization.js";
import { request, type RequestOptions } from "./client.js";
import { liveInterval } from "./live.js";
import { OneChange } from "./one-change.js";
import { addressOf, type PathParameters, type QueryParameters, type RouteName } from "./routes.js";

interface QueryOptions<Name extends RouteName> {
  parameters?: PathParameters | undefined;
  query?: QueryOf<Name> | undefined;
  enabled?: boolean | undefined;
  refetchMs?: number | undefined;
  /** It may change while somebody looks at it. */
  live?: boolean | undefined;
}

/** Reads a route and keeps the answer. Routes of an organization are read for the one that is on screen. */
export function useApi<Name extends RouteName>(
  name: Name,
  { parameters, query, enabled = true, refetchMs, live = false }: QueryOptions<Name> = {},
): UseQueryResult<AnswerOf<Name>> {
  const all = useParameters(parameters);
  return useQuery({
    queryKey: [name, all, query ?? {}],
    queryFn: ({ signal }) => request(name, { parameters: all, query, signal }),
    enabled,
    refetchInterval: live ? liveInterval : (refetchMs ?? false),
    // Changing a filter keeps the old rows until the new ones are here; changing the organization must not.
    placeholderData: (previous, previousQuery) =>
      sameParameters(previousQuery?.queryKey[1], all) ? previous : undefined,
  });
}

type Change<Name extends RouteName> = Pick<RequestOptions<Name>, "parameters" | "body">;

/** Changes something, the same only once at a time, then has every list that may show it read again. */
export function useChange<Name extends RouteName>(name: Name, { refresh = [] as RouteName[] } = {}) {
  const all = useParameters();
  const client = useQueryClient();
  const [one] = useState(() => new OneChange());
  const change = useMutation({
    mutationFn: (wanted: Change<Name>) =>
      request(name, {
        ...wanted,
        parameters: { ...all, ...wanted.parameters },
        token: one.tokenFor(wanted),
      }),
    onSuccess: () => Promise.all(refresh.map((route) => client.invalidateQueries({ queryKey: [route] }))),
    onSettled: (_answer, error, wanted) => one.end(wanted, error),
  });
  const { mutate } = change;
  const mutateOnce: typeof mutate = (wanted, options) => {
    if (one.begin(wanted)) mutate(wanted, options);
  };
  return { ...change, mutate: mutateOnce };
}

/** The address of a download, for a plain link. */
export function useDownload(name: RouteName, parameters: PathParameters = {}, query: QueryParameters = {}) {
  return addressOf(name, useParameters(parameters), query);
}

function useParameters(parameters: PathParameters = {}): PathParameters {
  const organization = useOptionalOrganization();
  return organization ? { organizationUuid: organization.uuid, ...parameters } : parameters;
}

function sameParameters(before: unknown, after: PathParameters): boolean {
  return JSON.stringify(before) === JSON.stringify(after);
}
