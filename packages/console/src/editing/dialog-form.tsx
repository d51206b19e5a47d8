import { Button, Group, Stack } from "@mantine/core";
import type { ReactNode } from "react";
import { SaveFailure, type Saving } from "./save-failure.js";
import type { SharedForm } from "./shared-form.js";

/** The same as PanelForm, in a dialog that can be left without saving. */
export function DialogForm<Source, Values extends Record<string, unknown>>({
  shared,
  saving,
  save,
  action,
  onCancel,
  children,
}: {
  shared: SharedForm<Source, Values>;
  saving: Saving;
  save: (values: Values) => void;
  /** What the button says. */
  action: string;
  onCancel: () => void;
  children: ReactNode;
}) {
  const { form } = shared;
  return (
    <form noValidate onSubmit={form.onSubmit(save)}>
      <Stack gap="md">
        <SaveFailure saving={saving} shared={shared} />
        {children}
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={saving.isPending} disabled={!form.isDirty()}>
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
