import { Alert } from "@mantine/core";
import { useApi } from "../api/queries.js";
import { Moment } from "../ui/time.js";

/** Erasures that were cut short. Part of the person is still there, and only the admin knows who it was. */
export function UnfinishedErasures() {
  const { data: erasures = [] } = useApi("listUnfinishedErasures", { live: true }).data ?? {};
  const oldest = erasures[0];
  if (!oldest) return null;
  return (
    <Alert color="yellow" p="sm">
      {erasures.length === 1 ? "1 erasure has" : `${erasures.length} erasures have`} begun and not come to{" "}
      {erasures.length === 1 ? "its" : "their"} end. {erasures.length === 1 ? "It" : "The oldest"} began{" "}
      <Moment value={oldest.begunAt} />; the audit log says who asked for it. If nobody is at it any more,
      erase the same person again: that completes it.
    </Alert>
  );
}
