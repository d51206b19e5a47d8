import { Alert, Button } from "@mantine/core";
import { IconAlertTriangle, IconRefresh } from "../ui/icons.js";
import { isChangedMeanwhile } from "../api/failure.js";
import { Failure } from "../ui/states.js";

/** Why something was not saved; if somebody else was faster, with the way to go on without losing what was typed. */
export function SaveFailure({
  error,
  reload,
  isReloading,
}: {
  error: unknown;
  reload: () => void;
  isReloading: boolean;
}) {
  if (!isChangedMeanwhile(error)) return <Failure error={error} />;
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
        loading={isReloading}
        onClick={reload}
      >
        Reload
      </Button>
    </Alert>
  );
}
