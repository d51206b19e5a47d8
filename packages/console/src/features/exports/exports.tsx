import { Button, Menu } from "@mantine/core";
import { maxExportedRows } from "@gatehouse-parking/contract";
import type { QueryParameters } from "../../core/api/client.js";
import { useDownload } from "../../core/api/queries.js";
import type { ExportRoute } from "../../core/lists/list.js";
import { DownloadButton, DownloadItem } from "../../core/ui/buttons.js";
import { IconDownload } from "../../core/ui/icons.js";
import { Panel } from "../../core/ui/page.js";

/** Downloads a list with its current filters. */
export function ExportMenu({
  size = "sm",
  ...exported
}: ExportRoute & { query: QueryParameters; size?: "xs" | "sm" }) {
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
        <ExportItem {...exported} format="csv" label="CSV, for spreadsheets" />
        <ExportItem {...exported} format="ndjson" label="NDJSON, for programs" />
      </Menu.Dropdown>
    </Menu>
  );
}

function ExportItem(props: ExportRoute & { query: QueryParameters; format: string; label: string }) {
  const address = useDownload(props.route, { ...props.parameters, format: props.format }, props.query);
  return <DownloadItem address={address}>{props.label}</DownloadItem>;
}

/** Downloads all data of the organization. */
export function ExportEverything() {
  const address = useDownload("exportOrganization");
  return (
    <Panel
      title="Export everything"
      description="All records, runs, leads and the audit log in one file (NDJSON), as they are at the moment it begins. Another installation of Gatehouse can import it under the same identifiers. Keys, passwords and other secrets are not in it. The file holds what is known of people: keep it as safe as the console."
      actions={<DownloadButton address={address}>Export everything</DownloadButton>}
    />
  );
}
