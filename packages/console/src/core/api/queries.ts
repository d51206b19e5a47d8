import {
  type Query,
  useMutation,
  useQuery,
  useQueryClient,
  type UseQueryResult,
} from "@tanstack/react-query";
import { useState } from "react";
import type { AnswerOf, QueryOf } from "@gatehouse-parking/contract/console";
import { useOptionalOrganization } from "../session/session.js";
import {
  addressOf,
  type PathParameters,
  type QueryParameters,
  request,
  type RequestOptions,
  type RouteName,
} from "./client.js";
import { isNotFound, Refused, Unreachable } from "./errors.js";

/**
 * Sends the same change only once. A button is disabled only after the next render, so a double click would send two
 * requests. The second answer would replace the first, which may contain an API key that is shown only once.
 */
export class IdempotentChange {
  readonly #underWay = new Set<string>();
  #sent: string | undefined;
  #token: string | undefined;

  /** False while the same change is in flight. */
  begin(change: unknown): boolean {
    const meant = JSON.stringify(change);
    if (this.#underWay.has(meant)) return false;
    this.#underWay.add(meant);
    return true;
  }

  /** The idempotency key. The same change keeps it until its outcome is known. */
  tokenFor(change: unknown): string | undefined {
    const meant = JSON.stringify(change);
    if (meant !== this.#sent) {
      this.#sent = meant;
      // Undefined on pages that were loaded over plain HTTP from another machine.
      this.#token = (crypto as Partial<Crypto>).randomUUID?.();
    }
    return this.#token;
  }

  end(change: unknown, error: unknown): void {
    const meant = JSON.stringify(change);
    this.#underWay.delete(meant);
    if (meant === this.#sent && !isOutcomeUnknown(error)) this.#sent = undefined;
  }
}

/** Without an answer, or after a 5xx, the change may have been made. */
function isOutcomeUnknown(error: unknown): boolean {
  return error instanceof Unreachable || (error instanceof Refused && error.status >= 500);
}

const shortestMs = 5_000;
const longestMs = 60_000;

/** When each answer was first seen. Equal answers are the same object, because queries share structure. */
const sameSince = new WeakMap<object, number>();

/** The polling interval: short after a change, longer while nothing happens. */
function liveInterval({ state }: Pick<Query, "state">): number {
  const data: unknown = state.data;
  if (typeof data !== "object" || data === null) return shortestMs;
  const now = Date.now();
  const since = sameSince.get(data) ?? now;
  sameSince.set(data, since);
  return Math.min(longestMs, Math.max(shortestMs, (now - since) / 2));
}

interface QueryOptions<Name extends RouteName> {
  parameters?: PathParameters | undefined;
  query?: QueryOf<Name> | undefined;
  enabled?: boolean | undefined;
  refetchMs?: number | undefined;
  /** Polls for changes. */
  live?: boolean | undefined;
}

/** Reads an operation through the query cache. Operations of an organization use the current one. */
export function useApi<Name extends RouteName>(
  name: Name,
  { parameters, query, enabled = true, refetchMs, live = false }: QueryOptions<Name> = {},
): UseQueryResult<AnswerOf<Name>> {
  const all = useParameters(parameters);
  const answer = useQuery({
    queryKey: [name, all, query ?? {}],
    queryFn: ({ signal }) => request(name, { parameters: all, query, signal }),
    enabled,
    refetchInterval: live ? liveInterval : (refetchMs ?? false),
    // Keeps the old rows while a filter changes, but not when the organization changes.
    placeholderData: (previous, previousQuery) =>
      sameParameters(previousQuery?.queryKey[1], all) ? previous : undefined,
  });
  // Do not show an object from memory that was deleted, such as the lead of an erased person.
  return isNotFound(answer.error)
    ? ({ ...answer, data: undefined } as UseQueryResult<AnswerOf<Name>>)
    : answer;
}

type Change<Name extends RouteName> = Pick<RequestOptions<Name>, "parameters" | "body">;

/** Sends a change, once even after a double click, and refreshes the queries in `refresh`. */
export function useChange<Name extends RouteName>(name: Name, { refresh = [] as RouteName[] } = {}) {
  const all = useParameters();
  const client = useQueryClient();
  const [one] = useState(() => new IdempotentChange());
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
