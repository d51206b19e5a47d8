import { Badge, Group } from "@mantine/core";
import type { LeadRow } from "@gatehouse-parking/contract/console";

export function leadName(lead: LeadRow): string {
  const person = [lead.firstName, lead.lastName].filter(Boolean).join(" ");
  return [person, lead.companyName].filter(Boolean).join(", ");
}

export function LeadBadges({ lead }: { lead: LeadRow }) {
  return (
    <Group gap={6}>
      {lead.state === "quarantined" ? (
        <Badge color="orange">Quarantined</Badge>
      ) : (
        <Badge color="teal">Accepted</Badge>
      )}
      {lead.duplicateOf ? <Badge color="gray">Duplicate</Badge> : null}
    </Group>
  );
}
