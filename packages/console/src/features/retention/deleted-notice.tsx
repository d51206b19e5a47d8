import { Alert } from "@mantine/core";
import type { RunDetail } from "@gatehouse-parking/contract/console";
import { Time } from "../../core/ui/time.js";
import { texts } from "./texts.js";

/** A notice on the page of an import whose records or results were deleted by retention. */
export default function DeletedNotice({ run }: { run: RunDetail }) {
  const records = run.deleted.reduce((sum, { count }) => sum + count, 0);
  if (records === 0 && run.exceptionsDeletedAt === null) return null;
  return (
    <Alert color="gray" p="sm">
      {records > 0 ? texts.import.recordsDeleted(records) : null}
      {run.exceptionsDeletedAt === null
        ? null
        : texts.import.exceptionsDeleted(<Time value={run.exceptionsDeletedAt} />)}
    </Alert>
  );
}
