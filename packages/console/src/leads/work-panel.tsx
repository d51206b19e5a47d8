import { Alert, SegmentedControl } from "@mantine/core";
import type { LeadDetail } from "@gatehouse-parking/contract/console";
import { isChangedMeanwhile } from "../api/failure.js";
import { useMayChange } from "../session/session.js";
import { Panel } from "../ui/panel.js";
import { Failure } from "../ui/states.js";
import { Moment } from "../ui/time.js";
import { WorkBadge, workStates } from "./lead-looks.js";
import type { LeadChange } from "./use-lead-change.js";

/** How far people have come with the lead, and who said so. */
export function WorkPanel({ lead, change: { apply, isPending } }: { lead: LeadDetail; change: LeadChange }) {
  const mayChange = useMayChange();
  return (
    <Panel
      title="State"
      description={
        lead.workChanged ? (
          <>
            Set by {lead.workChanged.actor}, <Moment value={lead.workChanged.at} />
          </>
        ) : (
          "Nobody has worked on this lead yet."
        )
      }
    >
      {mayChange ? (
        <SegmentedControl
          aria-label="State"
          data={workStates.map(({ value, label }) => ({ value, label }))}
          value={lead.workState}
          disabled={isPending}
          onChange={(value) => apply({ workState: value as LeadDetail["workState"] })}
        />
      ) : (
        <WorkBadge state={lead.workState} />
      )}
    </Panel>
  );
}

export function ChangeFailure({ error }: { error: unknown }) {
  if (!error) return null;
  if (!isChangedMeanwhile(error)) return <Failure error={error} />;
  return (
    <Alert color="yellow" role="alert" p="sm">
      Somebody else has changed this lead since you opened it, so nothing was saved. This is how it is now.
    </Alert>
  );
}
