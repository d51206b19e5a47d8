import { Button, Group, Stack } from "@mantine/core";
import type { ReactNode } from "react";
import { Panel } from "../ui/panel.js";
import { SaveFailure, type Saving } from "./save-failure.js";
import type { SharedForm } from "./shared-form.js";

/** A panel with settings that several people may edit: why they were not saved, their fields, and the button. */
export function PanelForm<Source, Values extends Record<string, unknown>>({
  title,
  description,
  shared,
  saving,
  save,
  action,
  children,
}: {
  title: string;
  description: string;
  shared: SharedForm<Source, Values>;
  saving: Saving;
  save: (values: Values) => void;
  /** What the button says. */
  action: string;
  children: ReactNode;
}) {
  const { form } = shared;
  return (
    <form noValidate onSubmit={form.onSubmit(save)}>
      <Panel title={title} description={description}>
        <Stack gap="md" maw={560}>
          <SaveFailure saving={saving} shared={shared} />
          {children}
          <Group>
            <Button type="submit" loading={saving.isPending} disabled={!form.isDirty()}>
              {action}
            </Button>
          </Group>
        </Stack>
      </Panel>
    </form>
  );
}
