import { Alert, Button } from "@mantine/core";
import { IconAlertTriangle, IconRefresh } from "../ui/icons.js";
import { isChangedMeanwhile } from "../api/failure.js";
import { Failure } from "../ui/states.js";

/** The state of a save, as useChange returns it. */
export interface Saving {
  error: Error | null;
  isPending: boolean;
  reset: () => void;
}

/** Says why something was not saved. If somebody else was faster, it offers to go on without losing what was typed. */
export function SaveFailure({
  saving,
  shared,
}: {
  saving: Saving;
  shared: { goOn: () => Promise<boolean>; isReloading: boolean };
}) {
  if (!saving.error) return null;
  if (!isChangedMeanwhile(saving.error)) return <Failure error={saving.error} />;

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
