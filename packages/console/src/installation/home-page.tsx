import { Button } from "@mantine/core";
import { Link } from "wouter";
import { useApi } from "../api/queries.js";
import { Freshness } from "../ui/freshness.js";
import { Page } from "../ui/page.js";
import { OrganizationList } from "./organization-list.js";
import { BackupAlarm } from "./scheduled-backups.js";
import { ServiceHealth } from "./service-health.js";

const refreshMs = 60_000;

/** Where operators begin: how the service is, and which organization needs them. */
export default function HomePage() {
  const service = useApi("getServiceHealth", { refetchMs: refreshMs });
  return (
    <Page
      title="All organizations"
      description="How this installation is, and what needs attention in it."
      actions={
        <>
          <Freshness query={service} />
          <Button component={Link} href="/organizations" variant="default">
            Manage organizations
          </Button>
        </>
      }
    >
      <BackupAlarm schedule={service.data?.scheduledBackups} />
      <OrganizationList />
      <ServiceHealth query={service} />
    </Page>
  );
}
