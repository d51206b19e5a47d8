import { Button } from "@mantine/core";
import { useState, type ReactNode } from "react";
import type { RouteName } from "../api/client.js";
import { Freshness } from "../ui/page.js";
import { useQueryState } from "../ui/query-state.js";
import { useList, type FoundList, type ListDefinition, type RowOf } from "./list.js";
import { texts } from "./texts.js";

/**
 * A list that refreshes while its newest page is shown. New rows wait behind a button, so that no row moves under the
 * pointer. The key of a row must grow with its time.
 */
export function useLiveList<Name extends RouteName>(
  list: ListDefinition<Name>,
  options: Parameters<typeof useList<Name>>[1] = {},
): { found: FoundList<Name>; freshness: ReactNode } {
  const { params } = useQueryState();
  const isNewest = !params.has("before") && !params.has("after") && !params.has("sort");
  const found = useList(list, { ...options, live: isNewest });
  const { answer } = found;
  const [shown, setShown] = useState<{ address: string; newest: string }>();

  const address = params.toString();
  const page = answer.data as { data: readonly RowOf<Name>[] } | undefined;
  const rows = page?.data ?? [];
  const isKnown = shown?.address === address;
  const newRows = isKnown ? rows.filter((row) => list.rowKey(row) > shown.newest) : [];
  const showNew = () => {
    if (rows[0]) setShown({ address, newest: list.rowKey(rows[0]) });
  };
  const areAllNew = newRows.length === rows.length;
  // Rows from memory, or of another filter, are shown until the current ones are there.
  const isCurrent = !answer.isPlaceholderData && !answer.isFetching;
  if (isNewest && rows.length > 0 && (isKnown ? areAllNew : isCurrent)) showNew();

  const refetch = () => {
    const refetched = answer.refetch();
    // Everything that it finds is shown.
    setShown(undefined);
    return refetched;
  };
  if (!isNewest || newRows.length === 0 || areAllNew)
    return { found, freshness: isNewest ? <Freshness query={{ ...answer, refetch }} /> : null };
  const data = { ...page, data: rows.slice(newRows.length) };
  return {
    found: { ...found, answer: { ...answer, data } as unknown as typeof answer },
    freshness: (
      <Button size="xs" variant="light" onClick={showNew}>
        {texts.showNew(newRows.length)}
      </Button>
    ),
  };
}
