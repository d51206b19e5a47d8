import { useQueryClient } from "@tanstack/react-query";
import type { LeadDetail } from "@gatehouse-parking/contract/console";
import { useChange } from "../api/queries.js";

type Wanted = Partial<Pick<LeadDetail, "state" | "workState">>;

export type LeadChange = ReturnType<typeof useLeadChange>;

/** Changes the lead that is shown; if somebody else was faster, nothing is changed and it is read again. */
export function useLeadChange({ uuid, version }: LeadDetail) {
  const client = useQueryClient();
  const change = useChange("changeLead", { refresh: ["getLead", "listLeads"] });
  return {
    error: change.error,
    isPending: change.isPending,
    apply: (wanted: Wanted, onSuccess?: () => void) =>
      change.mutate(
        { parameters: { leadUuid: uuid }, body: { ...wanted, version } },
        {
          onSuccess: () => onSuccess?.(),
          onError: () => void client.invalidateQueries({ queryKey: ["getLead"] }),
        },
      ),
  };
}
