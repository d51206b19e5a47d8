import { type QueryClient, skipToken, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect } from "react";
import type { Command } from "../features.js";
import { useOptionalOrganization } from "./session.js";

interface RecentPage {
  path: string;
  title: string;
}

/** In the query cache, which forgets everything when the user changes. */
const queryKey = ["recent pages"] as const;
const maxRecent = 5;
/** The page of one thing: an import, a record, a lead. */
const pageOfOne = /\/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The pages of single things that were visited last, without the current one. */
export function useRecentPages(): Command[] {
  const organization = useOptionalOrganization();
  const { data = [] } = useQuery<RecentPage[]>({ queryKey, queryFn: skipToken, gcTime: Infinity });
  const home = organization ? `/organizations/${organization.uuid}/` : "/organizations/";
  return data
    .filter(({ path }) => path.startsWith(home) && path !== window.location.pathname)
    .slice(0, maxRecent)
    .map(({ path, title }) => ({ key: path, label: title, to: `~${path}` }));
}

/** For an erasure, because titles contain personal data. */
export function forgetRecentPages(client: QueryClient): void {
  client.setQueryData(queryKey, []);
}

export function useNoteRecentPage(title: string): void {
  const client = useQueryClient();
  const note = useCallback(
    (page: RecentPage) =>
      client.setQueryData<RecentPage[]>(queryKey, (known = []) =>
        [page, ...known.filter(({ path }) => path !== page.path)].slice(0, maxRecent * 4),
      ),
    [client],
  );
  const path = window.location.pathname;
  useEffect(() => {
    if (pageOfOne.test(path) && !/^\/organizations\/[^/]+$/.test(path)) note({ path, title });
  }, [note, path, title]);
}
