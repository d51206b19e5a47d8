import { Badge } from "@mantine/core";
import type { RunResult } from "@gatehouse-parking/contract/console";
import { lazy } from "react";
import type { ConsoleFeature } from "../../core/features.js";

const UndoButton = lazy(() => import("./undo.js").then((module) => ({ default: module.UndoButton })));
const UndoneNotice = lazy(() => import("./undo.js").then((module) => ({ default: module.UndoneNotice })));
const UndoUploadButton = lazy(() =>
  import("./undo.js").then((module) => ({ default: module.UndoUploadButton })),
);
const UndoneUploadNotice = lazy(() =>
  import("./undo.js").then((module) => ({ default: module.UndoneUploadNotice })),
);

function UndoneBadge() {
  return <Badge color="gray">Taken back</Badge>;
}

function UndoneResult({ result }: { result: RunResult }) {
  return result.takenBack ? " taken back" : null;
}

export const undo: ConsoleFeature = {
  name: "undo",
  slots: {
    importActions: UndoButton,
    importNotices: UndoneNotice,
    undoneBadge: UndoneBadge,
    resultMark: UndoneResult,
    uploadActions: UndoUploadButton,
    uploadNotices: UndoneUploadNotice,
  },
};
