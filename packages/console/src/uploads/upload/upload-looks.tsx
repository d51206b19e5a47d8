import { Badge } from "@mantine/core";
import type { Upload } from "@gatehouse-parking/contract/console";

const colors: Readonly<Record<Upload["state"], string>> = {
  receiving: "gray",
  received: "gray",
  waiting: "harbour",
  working: "harbour",
  paused: "yellow",
  finished: "teal",
  stopped: "red",
  cancelled: "gray",
};

/** What an upload is doing, in words. */
export function uploadStateText({ state, pass }: Pick<Upload, "state" | "pass">): string {
  if (pass === "undo") return undoTexts[state];
  const isCheck = pass === "check";
  switch (state) {
    case "receiving":
      return "Not sent completely";
    case "received":
      return "Sent";
    case "waiting":
      return isCheck ? "Waiting to be checked" : "Waiting to be imported";
    case "working":
      return isCheck ? "Being checked" : "Being imported";
    case "paused":
      return isCheck ? "Check paused" : "Import paused";
    case "finished":
      return isCheck ? "Checked" : "Imported";
    case "stopped":
      return isCheck ? "Check stopped" : "Import stopped";
    case "cancelled":
      return "Cancelled";
  }
}

const undoTexts: Readonly<Record<Upload["state"], string>> = {
  receiving: "Not sent completely",
  received: "Sent",
  waiting: "Waiting to be taken back",
  working: "Being taken back",
  paused: "Taking back paused",
  finished: "Taken back",
  stopped: "Taking back stopped",
  cancelled: "Taking back cancelled",
};

export function UploadStateBadge({ upload }: { upload: Pick<Upload, "state" | "pass"> }) {
  const isTakenBack = upload.pass === "undo" && upload.state === "finished";
  return <Badge color={isTakenBack ? "gray" : colors[upload.state]}>{uploadStateText(upload)}</Badge>;
}

/** Whether it goes on by itself, so that it is worth looking again soon. */
export function isMoving({ state }: Pick<Upload, "state">): boolean {
  return state === "waiting" || state === "working" || state === "receiving";
}
