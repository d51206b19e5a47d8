import { Badge } from "@mantine/core";
import type { RunResult } from "@gatehouse-parking/contract/console";
import { lazy } from "react";
import type { ConsoleFeature } from "../../core/features.js";

const load = () => import("./undo.js");

function UndoneBadge() {
  return <Badge color="gray">Undone</Badge>;
}

function UndoneResult({ result }: { result: RunResult }) {
  return result.takenBack ? " undone" : null;
}

export const undo: ConsoleFeature = {
  name: "undo",
  slots: {
    importActions: lazy(async () => ({ default: (await load()).UndoButton })),
    importNotices: lazy(async () => ({ default: (await load()).UndoneNotice })),
    undoneBadge: UndoneBadge,
    resultMark: UndoneResult,
    uploadActions: lazy(async () => ({ default: (await load()).UndoUploadButton })),
    uploadNotices: lazy(async () => ({ default: (await load()).UndoneUploadNotice })),
  },
};
