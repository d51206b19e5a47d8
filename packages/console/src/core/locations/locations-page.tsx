import { Badge, Button, Group } from "@mantine/core";
import type { Location } from "@gatehouse-parking/contract";
import type { QueryOf } from "@gatehouse-parking/contract/console";
import { Link } from "wouter";
import { useApi } from "../api/queries.js";
import { DataList } from "../lists/data-list.js";
import { bySort, type ListDefinition } from "../lists/list-definition.js";
import { readNamed } from "../lists/list-state.js";
import { useMayChange, useOrganization } from "../session/session.js";
import { Identifier } from "../ui/copyable.js";
import { showValue } from "../ui/facts.js";
import { Filters, TextFilter } from "../ui/filters.js";
import { Page } from "../ui/page.js";
import { useQueryState } from "../ui/query-state.js";
import { Empty } from "../ui/states.js";
import type { Column } from "../ui/table.js";
import { locationFields } from "./location-fields.js";

const pageSize = 50;

/** They have a column of their own. */
const shown = new Set(["name", "address", "city", "state", "zipcode", "timeZone", "tpReferenceId"]);

const list: ListDefinition<Location> = {
  name: "locations",
  label: "Locations",
  rowKey: (location) => location.uuid,
  href: (location) => `/locations/${location.uuid}`,
  usualSort: "name",
  exported: { route: "downloadLocations" },
  columns: [
    {
      header: "Name",
      cell: (location) => (
        <Group gap="xs" wrap="nowrap">
          <Link href={`/locations/${location.uuid}`}>{location.name}</Link>
          {location.isActive ? null : <Badge color="gray">inactive</Badge>}
        </Group>
      ),
      sort: bySort("name"),
    },
    { header: "Address", cell: (location) => location.address, optional: true },
    { header: "City", cell: (location) => `${location.city}, ${location.state}`, sort: bySort("city") },
    { header: "State", cell: (location) => location.state, sort: bySort("state"), optional: true },
    { header: "Zip code", cell: (location) => location.zipcode, sort: bySort("zipcode"), optional: true },
    {
      header: "Time zone",
      cell: (location) => location.timeZone,
      from: "tablet",
      sort: bySort("timeZone"),
    },
    {
      header: "Third-party reference",
      cell: (location) => location.tpReferenceId,
      from: "desktop",
      sort: bySort("tpReferenceId"),
    },
    ...locationFields
      .filter(({ name }) => !shown.has(name))
      .map(({ name, label }): Column<Location> => ({
        header: label,
        cell: (location) => showValue((location as Record<string, unknown>)[name]),
        sort: bySort(name),
        optional: true,
      })),
    { header: "locationUuid", cell: (location) => <Identifier value={location.uuid} />, from: "desktop" },
  ],
};

export default function LocationsPage() {
  const { params } = useQueryState();
  const mayChange = useMayChange();
  const page = Number(params.get("page")) || 1;
  const listQuery = readNamed(params, ["query", "sort"]) as Pick<QueryOf<"listLocations">, "query" | "sort">;
  const locations = useApi("listLocations", { query: { page, pageSize, ...listQuery } });
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
      <DataList
        list={list}
        query={locations}
        listQuery={listQuery}
        hint="Every word must appear in the name, address or city."
        empty={<NoLocations mayChange={mayChange} />}
      />
    </Page>
  );
}

function NoLocations({ mayChange }: { mayChange: boolean }) {
  const { uuid } = useOrganization();
  return (
    <Empty
      title="No locations yet"
      action={
        mayChange ? (
          <Button component={Link} href="/locations/new">
            Add the first location
          </Button>
        ) : null
      }
      operatorCommand={[
        `npx --no -- gatehouse location create --organization ${uuid} --name "Main garage" \\`,
        `  --address "1 Main Street" --city "New York" --state NY --zipcode 10001 --time-zone America/New_York`,
      ].join("\n")}
    >
      Transactions and leads need a location. Add one here or import a CSV file.
    </Empty>
  );
}
