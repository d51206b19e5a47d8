import { useQueryClient } from "@tanstack/react-query";
import type { LeadDetail } from "@gatehouse-parking/contract/console";
import { Alert, SegmentedControl } from "@mantine/core";
import { isVersionConflict } from "../api/errors.js";
import { useChange } from "../api/queries.js";
import { useMayChange } from "../session/session.js";
import { Panel } from "../ui/page.js";
import { Failure } from "../ui/states.js";
import { Moment } from "../ui/time.js";
import { WorkStateBadge, workStates } from "./lead-badges.js";

type LeadChanges = Partial<Pick<LeadDetail, "state" | "workState">>;

export type LeadChange = ReturnType<typeof useLeadChange>;

/** Changes the lead. After a version conflict, nothing is changed and the lead is reloaded. */
export function useLeadChange({ uuid, version }: LeadDetail) {
  const client = useQueryClient();
  const change = useChange("changeLead", { refresh: ["getLead", "listLeads"] });
  return {
    error: change.error,
    isPending: change.isPending,
    apply: (wanted: LeadChanges, onSuccess?: () => void) =>
      change.mutate(
        { parameters: { leadUuid: uuid }, body: { ...wanted, version } },
        {
          onSuccess: () => onSuccess?.(),
          onError: () => void client.invalidateQueries({ queryKey: ["getLead"] }),
        },
      ),
  };
}

export function LeadStatePanel({
  lead,
  change: { apply, isPending },
}: {
  lead: LeadDetail;
  change: LeadChange;
}) {
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
        <WorkStateBadge state={lead.workState} />
      )}
    </Panel>
  );
}

export function LeadChangeFailure({ error }: { error: unknown }) {
  if (!error) return null;
  if (!isVersionConflict(error)) return <Failure error={error} />;
  return (
    <Alert color="yellow" role="alert" p="sm">
      Somebody else has changed this lead since you opened it, so nothing was saved. This is how it is now.
    </Alert>
  );
}
