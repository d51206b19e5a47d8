import { maxExportedRows } from "@gatehouse-parking/contract";

export const texts = {
  menu: "Export",
  limit: `Exports up to ${maxExportedRows.toLocaleString("en")} filtered rows`,
  csv: "CSV, for spreadsheets",
  ndjson: "NDJSON, for programs",
  everything: "Export everything",
  everythingHelp:
    "Exports all records, imports, leads and the audit log to one NDJSON file, as of the moment the export starts. Another Gatehouse installation can import it with the same identifiers. The file does not contain keys, passwords or other secrets, but it contains personal data. Store it securely.",
};
