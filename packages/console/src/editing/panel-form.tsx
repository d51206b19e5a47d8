import { Button, Group, Stack } from "@mantine/core";
import type { FormEventHandler, ReactNode } from "react";
import { Panel } from "../ui/panel.js";
import { SaveFailure } from "./save-failure.js";

/** What is under way of saving it. */
interface Saving {
  error: Error | null;
  isPending: boolean;
  reset: () => void;
}

/** A panel of settings that several people may edit: its fields, the button below them, and above them why they were not saved. */
export function PanelForm<Source>({
  title,
  description,
  action,
  saving,
  isDirty,
  onSubmit,
  reload,
  isReloading,
  goOnFrom,
  children,
}: {
  title: string;
  description: string;
  /** What the button says. */
  action: string;
  saving: Saving;
  isDirty: boolean;
  onSubmit: FormEventHandler<HTMLFormElement>;
  /** Reads again what is saved. */
  reload: () => Promise<Source | undefined>;
  isReloading: boolean;
  goOnFrom: (source: Source) => void;
  children: ReactNode;
}) {
  async function goOn() {
    const fresh = await reload();
    if (!fresh) return;
    saving.reset();
    goOnFrom(fresh);
  }

  return (
    <form noValidate onSubmit={onSubmit}>
      <Panel title={title} description={description}>
        <Stack gap="md" maw={560}>
          {saving.error ? (
            <SaveFailure error={saving.error} reload={() => void goOn()} isReloading={isReloading} />
          ) : null}
          {children}
          <Group>
            <Button type="submit" loading={saving.isPending} disabled={!isDirty}>
              {action}
            </Button>
          </Group>
        </Stack>
      </Panel>
    </form>
  );
}
