import { Alert, Button, Group, Stack } from "@mantine/core";
import type { ReactNode } from "react";
import { isVersionConflict } from "../api/errors.js";
import { DialogButtons } from "../ui/confirm.js";
import { IconAlertTriangle, IconRefresh } from "../ui/icons.js";
import { Panel } from "../ui/page.js";
import { Failure } from "../ui/states.js";
import type { SharedForm } from "./shared-form.js";

/** A panel with settings that several people may edit at the same time. */
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
  /** The button's text. */
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

/** Like PanelForm, in a dialog with a Cancel button. */
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
  /** The button's text. */
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
        <DialogButtons
          action={action}
          onCancel={onCancel}
          loading={saving.isPending}
          disabled={!form.isDirty()}
        />
      </Stack>
    </form>
  );
}

/** The state of a save, from useChange. */
interface Saving {
  error: Error | null;
  isPending: boolean;
  reset: () => void;
}

/** Says why a save failed. After a version conflict, it offers to reload without losing what was typed. */
export function SaveFailure({
  saving,
  shared,
}: {
  saving: Saving;
  shared: { goOn: () => Promise<boolean>; isReloading: boolean };
}) {
  if (!saving.error) return null;
  if (!isVersionConflict(saving.error)) return <Failure error={saving.error} />;

  async function reload() {
    if (await shared.goOn()) saving.reset();
  }

  return (
    <Alert
      color="yellow"
      icon={<IconAlertTriangle size={18} />}
      title="Somebody else has saved this since you opened it"
      role="alert"
    >
      <p>
        Nothing of yours was saved, and nothing that you typed is lost. Reload to see what they saved: the
        fields that you have changed stay as you typed them. Then save again.
      </p>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconRefresh size={14} />}
        loading={shared.isReloading}
        onClick={() => void reload()}
      >
        Reload
      </Button>
    </Alert>
  );
}
