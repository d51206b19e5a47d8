import type { InstallationAuditLine } from "@gatehouse-parking/contract/console";
import { Link } from "wouter";
import { auditColumns, useAuditFilters } from "../../core/audit/audit-log.js";
import { List, useList, type ListDefinition } from "../../core/lists/list.js";
import { Page } from "../../core/ui/page.js";
import { Empty } from "../../core/ui/states.js";
import { OperatorPage } from "./installation-page.js";
import { texts } from "./texts.js";

const homeOf = ({ organization }: InstallationAuditLine) =>
  organization === null ? "" : `/organizations/${organization.uuid}`;

const [when, ...columns] = auditColumns(homeOf);

const list: ListDefinition<"listInstallationAudit"> = {
  route: "listInstallationAudit",
  label: texts.audit.title,
  rowKey: (line) => line.uuid,
  usualSort: "newest",
  columns: [
    ...(when ? [when] : []),
    {
      header: texts.list.organization,
      cell: (line) =>
        line.organization?.name ? (
          <Link href={homeOf(line)}>{line.organization.name}</Link>
        ) : line.organization ? (
          texts.audit.deleted
        ) : null,
      wrap: true,
    },
    ...columns,
  ],
};

/** Who changed what, in every organization. */
export default function InstallationAuditPage() {
  const found = useList(list, { filters: useAuditFilters() });
  return (
    <OperatorPage>
      <Page title={texts.audit.title} description={texts.audit.description}>
        <List found={found} empty={<Empty title={texts.audit.empty} />} />
      </Page>
    </OperatorPage>
  );
}
