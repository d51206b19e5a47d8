import { Button } from "@mantine/core";
import { Link } from "wouter";
import { useApi } from "../../core/api/queries.js";
import { Freshness, Page } from "../../core/ui/page.js";
import { OrganizationList } from "./organization-list.js";
import { BackupAlert, ServiceHealth } from "./service-health.js";

const refreshMs = 60_000;

/** The start page of operators. */
export default function InstallationPage() {
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
      <BackupAlert schedule={service.data?.scheduledBackups} />
      <OrganizationList />
      <ServiceHealth query={service} />
    </Page>
  );
}
