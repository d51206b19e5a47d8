import { Alert, Badge } from "@mantine/core";
import type { RunDetail } from "@gatehouse-parking/contract/console";
import { counted } from "../ui/counted.js";
import { IconArrowBackUp } from "../ui/icons.js";
import { Moment } from "../ui/time.js";
import { kindsInWords } from "./in-words.js";

export function UndoneBadge() {
  return <Badge color="gray">Taken back</Badge>;
}

export function keptInWords(count: number): string {
  if (count === 0) return "";
  return ` ${counted(count, "record")} stayed, because something else refers to ${count === 1 ? "it" : "them"}.`;
}

/** Who took the run back, when, and what has become of what it created. */
export function UndoneNotice({ run }: { run: RunDetail }) {
  if (!run.undone) return null;
  const { at, by, removed, keptCount } = run.undone;
  return (
    <Alert color="gray" icon={<IconArrowBackUp size={18} />} title="This run was taken back" p="sm">
      By {by}, <Moment value={at} />. Removed: {kindsInWords(removed)}.{keptInWords(keptCount)} The results
      below are those that were answered when the batch was sent.
    </Alert>
  );
}
