import { Button, Group } from "@mantine/core";

/** The pages of a run's results. */
export function ResultPaging({
  page,
  pages,
  open,
}: {
  page: number;
  pages: number;
  open: (page: number) => void;
}) {
  if (pages === 1) return null;
  return (
    <Group justify="space-between" p="sm" px="md">
      <Button variant="default" size="xs" disabled={page === 1} onClick={() => open(page - 1)}>
        Previous
      </Button>
      <span>
        Page {page} of {pages}
      </span>
      <Button variant="default" size="xs" disabled={page === pages} onClick={() => open(page + 1)}>
        Next
      </Button>
    </Group>
  );
}
