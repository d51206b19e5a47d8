import { Button, Menu } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import type { RunDetail } from "@gatehouse-parking/contract/console";
import { useDownload } from "../api/queries.js";
import { Slot } from "../features.js";
import { useApiAddress, useCertificateDownload } from "../session/api-address.js";
import { IconChevronDown, IconDownload, IconTerminal2 } from "../ui/icons.js";
import { fetchImportCommand, resendCommand } from "./curl-commands.js";

export function ImportActions({ run }: { run: RunDetail }) {
  const { referenceUuid } = run;
  const csv = useDownload("downloadFailures", { referenceUuid, format: "csv" });
  const ndjson = useDownload("downloadFailures", { referenceUuid, format: "ndjson" });
  const clipboard = useClipboard();
  const api = useApiAddress();
  const authority = useCertificateDownload();
  const copy = (text: string) => {
    clipboard.copy(text);
    notifications.show({ message: "Copied. Set GATEHOUSE_API_KEY to your API key before you run it." });
  };

  return (
    <>
      {run.failedCount > 0 ? (
        <Menu position="bottom-end">
          <Menu.Target>
            <Button
              variant="default"
              leftSection={<IconDownload size={16} />}
              rightSection={<IconChevronDown size={14} />}
            >
              Failed records
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item component="a" href={csv} download>
              Download as CSV
            </Menu.Item>
            <Menu.Item component="a" href={ndjson} download>
              Download as NDJSON
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      ) : null}
      <Menu position="bottom-end">
        <Menu.Target>
          <Button
            variant="default"
            leftSection={<IconTerminal2 size={16} />}
            rightSection={<IconChevronDown size={14} />}
          >
            Copy as curl
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => copy(fetchImportCommand(api, referenceUuid))}>Fetch this run</Menu.Item>
          <Menu.Item onClick={() => copy(resendCommand(api, run.resource))}>Send corrected records</Menu.Item>
          {authority ? <Menu.Item onClick={authority.save}>{authority.label}</Menu.Item> : null}
        </Menu.Dropdown>
      </Menu>
      <Slot name="importActions" props={{ run }} />
    </>
  );
}
