import { Alert, Progress } from "@mantine/core";
import type { UploadDetail } from "@gatehouse-parking/contract/console";
import { Counters } from "../../ui/counters.js";
import { isMoving, uploadStateText } from "./upload-looks.js";
import styles from "../uploads.module.css";

const passDone = { check: "checked", import: "imported", undo: "taken back" };

/** How far a check, an import or its undo is, and what became of the rows so far. */
export function UploadStatus({ upload }: { upload: UploadDetail }) {
  const { pass, state, rows, totalRows, progress, problem } = upload;
  const isCheck = pass === "check";
  const percent = state === "finished" ? 100 : Math.min(99, Math.floor(progress * 100));
  const done = `${rows.toLocaleString("en")}${totalRows === null ? "" : ` of ${totalRows.toLocaleString("en")}`} rows`;
  return (
    <>
      {problem ? (
        <Alert color="red" p="sm" role="alert" title="The service stopped">
          {problem}
        </Alert>
      ) : null}
      {pass === null ? null : (
        <>
          <div>
            <Progress
              value={percent}
              animated={isMoving(upload)}
              color={state === "stopped" ? "red" : "harbour"}
              size="lg"
              aria-label={`${percent} % ${passDone[pass]}`}
            />
            <output className={styles.numbers}>
              <span>{uploadStateText(upload)}</span>
              <span>{done}</span>
            </output>
          </div>
          <Counters
            items={[
              { label: isCheck ? "Would be created" : "Created", value: upload.created, color: "created" },
              {
                label: isCheck ? "Stored already" : "Skipped: stored already",
                value: upload.skipped,
                color: "skipped",
              },
              { label: isCheck ? "Would fail" : "Failed", value: upload.failed, color: "failed" },
            ]}
          />
        </>
      )}
    </>
  );
}
