import { Alert, Button, Group, List, Stack } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import type { DeletableKind } from "@gatehouse-parking/contract";
import type { PendingRetention, RetentionPreview } from "@gatehouse-parking/contract/console";
import { useChange } from "../../core/api/queries.js";
import { useMayChange } from "../../core/session/session.js";
import type { Confirmation } from "../../core/ui/confirm.js";
import { IconAlertTriangle } from "../../core/ui/icons.js";
import { Failure } from "../../core/ui/states.js";
import { SoonTime } from "../../core/ui/time.js";

const nouns: Record<DeletableKind, [one: string, several: string]> = {
  records: ["record", "records"],
  exceptions: ["skipped or failed record", "skipped or failed records"],
  runDetails: ["value of a failed record", "values of failed records"],
  requestLog: ["logged request", "logged requests"],
  leads: ["lead", "leads"],
  deletedKeys: ["key of a deleted record", "keys of deleted records"],
};

/** 21 leads */
function describeDeletion({ what, count, isMinimum }: RetentionPreview["data"][number]): string {
  const [one, several] = nouns[what];
  return `${isMinimum ? "more than " : ""}${count.toLocaleString("en")} ${count === 1 ? one : several}`;
}

export function confirmationOf({ data, at }: RetentionPreview): Confirmation {
  return {
    title: "Delete stored data?",
    consequences: (
      <>
        These shorter periods delete, after <SoonTime value={at} />:
        <List size="sm" my="xs">
          {data.map((deleted) => (
            <List.Item key={deleted.what}>{describeDeletion(deleted)}</List.Item>
          ))}
        </List>
        You can cancel until then. Deleted data cannot be restored.
      </>
    ),
    action: "Save and delete",
    isDangerous: true,
    typed: "delete",
  };
}

/** Shorter periods take effect after a delay. */
export function PendingRetentionNotice({ pending }: { pending: readonly PendingRetention[] }) {
  const cancel = useChange("cancelRetention", { refresh: ["getRetention", "getOrganization"] });
  const mayChange = useMayChange();
  if (pending.length === 0) return null;
  return (
    <Alert color="yellow" icon={<IconAlertTriangle size={18} />} title="Pending change">
      <Stack gap="xs">
        {cancel.error ? <Failure error={cancel.error} /> : null}
        {pending.map((change) => (
          <Group key={change.what} justify="space-between" wrap="nowrap">
            <span>
              Deletes {describeDeletion(change)} after <SoonTime value={change.at} />. Saved by {change.by}.
            </span>
            {mayChange ? (
              <Button
                size="xs"
                variant="default"
                loading={cancel.isPending}
                aria-label={`Cancel: ${nouns[change.what][1]}`}
                onClick={() =>
                  cancel.mutate(
                    { body: { what: [change.what] } },
                    { onSuccess: () => notifications.show({ message: "The change has been cancelled." }) },
                  )
                }
              >
                Cancel
              </Button>
            ) : null}
          </Group>
        ))}
      </Stack>
    </Alert>
  );
}
