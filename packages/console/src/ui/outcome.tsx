import { Badge } from "@mantine/core";
import { ImportResource, RecordStatus, RunStatus } from "@gatehouse-parking/contract";

const runLooks: Record<RunStatus, { label: string; color: string }> = {
  [RunStatus.Completed]: { label: "Completed", color: "teal" },
  [RunStatus.Failed]: { label: "Failed", color: "red" },
  [RunStatus.PartialSuccess]: { label: "Partial success", color: "yellow" },
};

export function RunStatusBadge({ status }: { status: RunStatus }) {
  const { label, color } = runLooks[status];
  return <Badge color={color}>{label}</Badge>;
}

const recordLooks: Record<RecordStatus, { label: string; color: string }> = {
  [RecordStatus.Created]: { label: "Created", color: "teal" },
  [RecordStatus.Updated]: { label: "Updated", color: "teal" },
  [RecordStatus.Skipped]: { label: "Skipped", color: "gray" },
  [RecordStatus.Failed]: { label: "Failed", color: "red" },
};

export function RecordStatusBadge({ status }: { status: RecordStatus }) {
  const { label, color } = recordLooks[status];
  return <Badge color={color}>{label}</Badge>;
}

export const resourceNames: Record<ImportResource, string> = {
  [ImportResource.Transactions]: "Transactions",
  [ImportResource.Accounts]: "Accounts",
  [ImportResource.Subscriptions]: "Subscriptions",
};
