import { Button } from "@mantine/core";
import { useDownload } from "../api/queries.js";
import { IconDownload } from "../ui/icons.js";
import { Panel } from "../ui/panel.js";

/** Everything that the organization has here, to take elsewhere. */
export default function WholeExport() {
  const address = useDownload("exportOrganization");
  return (
    <Panel
      title="Export everything"
      description="All records, runs, leads and the audit log in one file (NDJSON), as they are at the moment it begins. Another installation of Gatehouse can import it under the same identifiers. Keys, passwords and other secrets are not in it. The file holds what is known of people: keep it as safe as the console."
      actions={
        <Button
          component="a"
          href={address}
          download
          variant="default"
          leftSection={<IconDownload size={16} />}
        >
          Export everything
        </Button>
      }
    />
  );
}
