import { Alert } from "@mantine/core";
import type { RunDetail } from "@gatehouse-parking/contract/console";
import { pluralize } from "../../core/ui/format.js";
import { Time } from "../../core/ui/time.js";

/** A notice on the page of an import whose records or results were deleted by retention. */
export default function DeletedNotice({ run }: { run: RunDetail }) {
  const records = run.deleted.reduce((sum, { count }) => sum + count, 0);
  if (records === 0 && run.exceptionsDeletedAt === null) return null;
  return (
    <Alert color="gray" p="sm">
      {records > 0
        ? `${pluralize(records, "record")} that this run had stored ${records === 1 ? "was" : "were"} deleted when the time was over for which the organization keeps records. `
        : null}
      {run.exceptionsDeletedAt === null ? null : (
        <>
          Its skipped and failed records are not kept any more, since <Time value={run.exceptionsDeletedAt} />
          . The counts are.
        </>
      )}
    </Alert>
  );
}
