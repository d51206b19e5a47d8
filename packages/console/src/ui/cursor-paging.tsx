import { Button, Group } from "@mantine/core";
import { useQueryState } from "./query-state.js";

/** Pages of a list that is read newest first. Each page has its own address, so the back button leads to newer rows. */
export function CursorPaging({ nextCursor }: { nextCursor: string | null | undefined }) {
  const { params, set } = useQueryState();
  const isFirst = !params.has("before");
  if (isFirst && !nextCursor) return null;
  return (
    <Group justify="space-between" p="sm" px="md">
      <Button
        variant="default"
        size="xs"
        disabled={isFirst}
        onClick={() => set({ before: null }, { push: true })}
      >
        Newest
      </Button>
      <Button
        variant="default"
        size="xs"
        disabled={!nextCursor}
        onClick={() => set({ before: nextCursor }, { push: true })}
      >
        Older
      </Button>
    </Group>
  );
}
