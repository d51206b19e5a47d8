import { Button, Group } from "@mantine/core";
import type { ReactNode } from "react";

/** The row of buttons below a table. */
export function PagingBar({ children }: { children: ReactNode }) {
  return (
    <Group justify="space-between" p="sm" px="md">
      {children}
    </Group>
  );
}

export function PagingButton(props: { label: string; disabled: boolean; onClick: () => void }) {
  return (
    <Button variant="default" size="xs" disabled={props.disabled} onClick={props.onClick}>
      {props.label}
    </Button>
  );
}
