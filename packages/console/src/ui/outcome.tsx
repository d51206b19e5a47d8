import { Badge } from "@mantine/core";
import { RunStatus } from "@gatehouse-parking/contract";

const runLooks: Record<RunStatus, { label: string; color: string }> = {
  [RunStatus.Completed]: { label: "Completed", color: "teal" },
  [RunStatus.Failed]: { label: "Failed", color: "red" },
  [RunStatus.PartialSuccess]: { label: "Partial success", color: "yellow" },
};

export function RunStatusBadge({ status }: { status: RunStatus }) {
  const { label, color } = runLooks[status];
  return <Badge color={color}>{label}</Badge>;
}
