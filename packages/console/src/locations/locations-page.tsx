import { Badge, Button, Group } from "@mantine/core";
import type { Location } from "@gatehouse-parking/contract";
import { Link } from "wouter";
import { useApi } from "../api/queries.js";
import { useOrganization } from "../session/organization.js";
import { useMayChange } from "../session/session.js";
import { Identifier } from "../ui/copy.js";
import { Filters, TextFilter } from "../ui/filters.js";
import { NumberedPaging } from "../ui/numbered-paging.js";
import { Page } from "../ui/page.js";
import { Panel } from "../ui/panel.js";
import { useQueryState } from "../ui/query-state.js";
import { Empty, Failure, RowsLoading } from "../ui/states.js";
import { DataTable, type Column } from "../ui/table.js";

const pageSize = 50;

const columns: Column<Location>[] = [
  {
    header: "Name",
    cell: (location) => (
      <Group gap="xs" wrap="nowrap">
        <Link href={`/locations/${location.uuid}`}>{location.name}</Link>
        {location.isActive ? null : <Badge color="gray">inactive</Badge>}
      </Group>
    ),
  },
  { header: "City", cell: (location) => `${location.city}, ${location.state}` },
  { header: "Time zone", cell: (location) => location.timeZone, from: "tablet" },
  { header: "Third-party reference", cell: (location) => location.tpReferenceId, from: "desktop" },
  { header: "locationUuid", cell: (location) => <Identifier value={location.uuid} />, from: "desktop" },
];

export default function LocationsPage() {
  const { params } = useQueryState();
  const mayChange = useMayChange();
  const page = Number(params.get("page")) || 1;
  const query = params.get("query") ?? "";
  const locations = useApi("listLocations", { query: { page, pageSize, query } });
  return (
    <Page
      title="Locations"
      description="Each transaction keeps the time zone that its location had when it was imported."
      actions={
        mayChange ? (
          <>
            <Button component={Link} href="/locations/import" variant="default">
              Import CSV
            </Button>
            <Button component={Link} href="/locations/new">
              Add location
            </Button>
          </>
        ) : null
      }
    >
      <Filters>
        <TextFilter name="query" label="Name, address or city" />
      </Filters>
      {locations.error ? <Failure error={locations.error} retry={() => void locations.refetch()} /> : null}
      <Panel flush>
        {locations.isPending ? <RowsLoading /> : null}
        {locations.data && locations.data.data.length > 0 ? (
          <DataTable
            label="Locations"
            columns={columns}
            rows={locations.data.data}
            rowKey={(location) => location.uuid}
            href={(location) => `/locations/${location.uuid}`}
          />
        ) : null}
        {locations.data?.data.length === 0 ? <NoLocations isFiltered={query !== ""} /> : null}
        {locations.data ? <NumberedPaging page={page} totalPages={locations.data.totalPages} /> : null}
      </Panel>
    </Page>
  );
}

function NoLocations({ isFiltered }: { isFiltered: boolean }) {
  const { uuid } = useOrganization();
  if (isFiltered)
    return <Empty title="No locations match">Every word must appear in the name, address or city.</Empty>;
  return (
    <Empty
      title="No locations yet"
      operatorCommand={[
        `npx gatehouse location create --organization ${uuid} --name "Main garage" \\`,
        `  --address "1 Main Street" --city "New York" --state NY --zipcode 10001 --time-zone America/New_York`,
      ].join("\n")}
    >
      Transactions and leads need a location. Add one here or import a CSV file.
    </Empty>
  );
}
