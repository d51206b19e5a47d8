import { reasonName } from "@gatehouse-parking/contract";
import type { UploadDetail, UploadProblem } from "@gatehouse-parking/contract/console";
import { counted } from "../../ui/counted.js";
import { DataTable, type Column } from "../../ui/table.js";

const columns: Column<UploadProblem>[] = [
  { header: "Rows", cell: ({ count }) => count.toLocaleString("en"), align: "right" },
  { header: "Field", cell: ({ field }) => (field === "" ? "whole row" : field), breakable: true },
  {
    header: "What is wrong",
    cell: ({ field, message }) => (field === "" ? message : `${field} ${message}`),
    wrap: true,
  },
  {
    header: "In the file, for example",
    cell: ({ example, line }) => (example === null ? `line ${line}` : `“${example}” in line ${line}`),
    wrap: true,
  },
  {
    header: "Reason",
    cell: ({ reasonCode }) => (reasonCode === null ? "Not sent" : reasonName(reasonCode)),
    from: "desktop",
  },
];

/** What is wrong with the rows that failed, by field and message, the most frequent first. */
export function UploadProblems({ upload }: { upload: UploadDetail }) {
  if (upload.problems.length === 0) return null;
  return (
    <>
      <DataTable
        label="What is wrong"
        columns={columns}
        rows={upload.problems}
        rowKey={({ field, message, reasonCode }) => `${field} ${message} ${reasonCode}`}
      />
      {upload.otherProblemRows > 0 ? (
        <p>{counted(upload.otherProblemRows, "row")} with other problems.</p>
      ) : null}
    </>
  );
}
