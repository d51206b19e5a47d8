import { Button, Menu } from "@mantine/core";

import type { QueryParameters } from "../../core/api/client.js";
import { useDownload } from "../../core/api/queries.js";
import type { ExportRoute } from "../../core/lists/list.js";
import { DownloadButton, DownloadItem } from "../../core/ui/buttons.js";
import { IconDownload } from "../../core/ui/icons.js";
import { Panel } from "../../core/ui/page.js";
import { texts } from "./texts.js";

/** Downloads a list with its current filters. */
export function ExportMenu({
  size = "sm",
  ...exported
}: ExportRoute & { query: QueryParameters; size?: "xs" | "sm" }) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" size={size} leftSection={<IconDownload size={size === "xs" ? 14 : 16} />}>
          {texts.menu}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{texts.limit}</Menu.Label>
        <ExportItem {...exported} format="csv" label={texts.csv} />
        <ExportItem {...exported} format="ndjson" label={texts.ndjson} />
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
      title={texts.everything}
      description={texts.everythingHelp}
      actions={<DownloadButton address={address}>{texts.everything}</DownloadButton>}
    />
  );
}
