import { Button, Group } from "@mantine/core";
import { useQueryState } from "./query-state.js";

/** Pages of a list that is read newest first. Each page has its own address, so the back button leads to newer rows. */
export function CursorPaging({ nextCursor }: { nextCursor: string | null | undefined }) {
  const { params, set } = useQueryState();
  const isFirst = !params.has("before");
  if (isFirst && !nextCursor) return null;
  const open = (before: string | null | undefined) => {
    set({ before }, { push: true });
    window.scrollTo(0, 0);
  };
  return (
    <Group justify="space-between" p="sm" px="md">
      <Button variant="default" size="xs" disabled={isFirst} onClick={() => open(null)}>
        Newest
      </Button>
      <Button variant="default" size="xs" disabled={!nextCursor} onClick={() => open(nextCursor)}>
        Older
      </Button>
    </Group>
  );
}
