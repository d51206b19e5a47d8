import { Button, Menu } from "@mantine/core";
import { maxExportedRows } from "@gatehouse-parking/contract";
import { useDownload } from "../api/queries.js";
import type { QueryParameters } from "../api/routes.js";
import { IconDownload } from "../ui/icons.js";
import { wholeList, type Exported } from "./list-looks.js";

const formats = [
  { format: "csv", label: "CSV, for spreadsheets" },
  { format: "ndjson", label: "NDJSON, for programs" },
];

/** A file of a list as it is filtered. */
export function ExportMenu({
  size = "sm",
  ...exported
}: Exported & { query: QueryParameters; size?: "xs" | "sm" }) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" size={size} leftSection={<IconDownload size={size === "xs" ? 14 : 16} />}>
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          With these filters, in this order,
          <br />
          at most {maxExportedRows.toLocaleString("en")} rows:
          <br />a file with as many may lack others
        </Menu.Label>
        {formats.map((choice) => (
          <ExportItem key={choice.format} {...exported} {...choice} />
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function ExportItem({
  route,
  parameters,
  query,
  format,
  label,
}: Exported & { query: QueryParameters; format: string; label: string }) {
  const address = useDownload(route, { ...parameters, format }, wholeList(query));
  return (
    <Menu.Item component="a" href={address} download>
      {label}
    </Menu.Item>
  );
}
