import { Badge, Group } from "@mantine/core";
import type { LeadRow, LeadWorkState } from "@gatehouse-parking/contract/console";

/** In the order of the workflow. */
export const workStates: readonly { value: LeadWorkState; label: string; color: string }[] = [
  { value: "new", label: "New", color: "blue" },
  { value: "contacted", label: "Contacted", color: "violet" },
  { value: "closed", label: "Closed", color: "gray" },
];

export function leadName(lead: LeadRow): string {
  const person = [lead.firstName, lead.lastName].filter(Boolean).join(" ");
  return [person, lead.companyName].filter(Boolean).join(", ");
}

/** The work state does not matter for quarantined leads. */
export function LeadBadges({ lead }: { lead: LeadRow }) {
  return (
    <Group gap={6}>
      {lead.state === "quarantined" ? (
        <Badge color="orange">Quarantined</Badge>
      ) : (
        <WorkStateBadge state={lead.workState} />
      )}
      {lead.duplicateOf ? <Badge color="gray">Duplicate</Badge> : null}
    </Group>
  );
}

export function WorkStateBadge({ state }: { state: LeadWorkState }) {
  const known = workStates.find(({ value }) => value === state);
  return <Badge color={known?.color}>{known?.label ?? state}</Badge>;
}
