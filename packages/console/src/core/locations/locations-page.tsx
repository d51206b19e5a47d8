import { Badge, Button, Group } from "@mantine/core";
import type { Location } from "@gatehouse-parking/contract";
import { Link } from "wouter";
import { List, useList, type ListDefinition } from "../lists/list.js";
import { useMayChange, useOrganization } from "../session/session.js";
import { Identifier } from "../ui/copyable.js";
import { showValue } from "../ui/facts.js";
import { Page } from "../ui/page.js";
import { Empty } from "../ui/states.js";
import { locationFields } from "./location-fields.js";
import { texts } from "./texts.js";

/** Fields with a column above. */
const shown = new Set(["name", "address", "city", "state", "zipcode", "timeZone", "tpReferenceId"]);

const list: ListDefinition<"listLocations"> = {
  route: "listLocations",
  name: "locations",
  label: texts.title,
  rowKey: (location) => location.uuid,
  href: (location) => `/locations/${location.uuid}`,
  usualSort: "name",
  paging: "numbered",
  exported: { route: "downloadLocations" },
  columns: [
    {
      header: texts.columns.name,
      cell: (location) => (
        <Group gap="xs" wrap="nowrap">
          <Link href={`/locations/${location.uuid}`}>{location.name}</Link>
          {location.isActive ? null : <Badge color="gray">{texts.inactive}</Badge>}
        </Group>
      ),
      sort: "name",
    },
    { header: texts.columns.address, cell: (location) => location.address, optional: true },
    { header: texts.columns.city, cell: (location) => `${location.city}, ${location.state}`, sort: "city" },
    { header: texts.columns.state, cell: (location) => location.state, sort: "state", optional: true },
    { header: texts.columns.zipcode, cell: (location) => location.zipcode, sort: "zipcode", optional: true },
    {
      header: texts.columns.timeZone,
      cell: (location) => location.timeZone,
      from: "tablet",
      sort: "timeZone",
    },
    {
      header: texts.columns.tpReferenceId,
      cell: (location) => location.tpReferenceId,
      from: "desktop",
      sort: "tpReferenceId",
    },
    ...locationFields
      .filter(({ name }) => !shown.has(name))
      .map(({ name, label }) => ({
        header: label,
        cell: (location: Location) => showValue((location as Record<string, unknown>)[name]),
        sort: name,
        optional: true as const,
      })),
    { header: "locationUuid", cell: (location) => <Identifier value={location.uuid} />, from: "desktop" },
  ],
};

const options = {
  filters: [{ kind: "text", name: "query", label: texts.filter }],
  query: { pageSize: 50 },
} as const;

export default function LocationsPage() {
  const mayChange = useMayChange();
  return (
    <Page
      title={texts.title}
      description={texts.description}
      actions={
        mayChange ? (
          <>
            <Button component={Link} href="/locations/import" variant="default">
              {texts.importCsv}
            </Button>
            <Button component={Link} href="/locations/new">
              {texts.add}
            </Button>
          </>
        ) : null
      }
    >
      <List
        found={useList(list, options)}
        hint={texts.filterHint}
        empty={<NoLocations mayChange={mayChange} />}
      />
    </Page>
  );
}

function NoLocations({ mayChange }: { mayChange: boolean }) {
  const { uuid } = useOrganization();
  return (
    <Empty
      title={texts.empty.title}
      action={
        mayChange ? (
          <Button component={Link} href="/locations/new">
            {texts.empty.action}
          </Button>
        ) : null
      }
      operatorCommand={[
        `npx --no -- gatehouse location create --organization ${uuid} --name "Main garage" \\`,
        `  --address "1 Main Street" --city "New York" --state NY --zipcode 10001 --time-zone America/New_York`,
      ].join("\n")}
    >
      {texts.empty.text}
    </Empty>
  );
}
