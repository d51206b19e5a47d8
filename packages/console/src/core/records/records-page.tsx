import { Pill } from "@mantine/core";
import type { RecordKind, RecordRow, RecordsQuery } from "@gatehouse-parking/contract/console";
import { Link, useParams } from "wouter";
import { useApi } from "../api/queries.js";
import { Slot } from "../features.js";
import { firstImportCommand } from "../imports/curl-commands.js";
import { DataList } from "../lists/data-list.js";
import { byTime, type ListDefinition } from "../lists/list-definition.js";
import { readNamed } from "../lists/list-state.js";
import { LocationFilter } from "../locations/location-choices.js";
import { useApiAddress } from "../session/api-address.js";
import { useMayChange } from "../session/session.js";
import { DateFilter, Filters, SelectFilter, TextFilter } from "../ui/filters.js";
import { Page } from "../ui/page.js";
import { useQueryState } from "../ui/query-state.js";
import { Empty } from "../ui/states.js";
import type { Column } from "../ui/table.js";
import { Time } from "../ui/time.js";
import { FieldValue, RecordTitle, zoneOf } from "./record-details.js";
import { isRecordKind, kinds, toLabel } from "./record-kinds.js";

export default function RecordsPage() {
  const { kind } = useParams();
  if (!isRecordKind(kind)) return <Empty title="Page not found" />;
  return <RecordList key={kind} kind={kind} />;
}

function RecordList({ kind }: { kind: RecordKind }) {
  const api = useApiAddress();
  const { params, set } = useQueryState();
  const { plural, type, text, hasLocation } = kinds[kind];
  const mayChange = useMayChange();
  const listQuery = readQuery(params);
  const records = useApi("listRecords", { parameters: { kind }, query: listQuery });
  const links = (["run", "account", "contact", "vehicle", "subscription"] as const).filter((name) =>
    params.has(name),
  );
  return (
    <Page title={plural}>
      <Filters>
        <TextFilter key={`text-${kind}`} name="text" label={text} />
        {type ? (
          <SelectFilter
            name="type"
            label={type.label}
            choices={Object.entries(type.values).map(([name, value]) => ({
              value: String(value),
              label: toLabel(name),
            }))}
          />
        ) : null}
        {hasLocation ? <LocationFilter /> : null}
        {kind === "transactions" ? (
          <>
            <DateFilter name="fromDate" label="From" />
            <DateFilter name="toDate" label="To" />
          </>
        ) : null}
        {links.map((name) => (
          <Pill key={name} size="md" withRemoveButton onRemove={() => set({ [name]: null })}>
            {`From one ${name}`}
          </Pill>
        ))}
      </Filters>
      <DataList
        list={listOf(kind, isSortedByDay(kind, params))}
        query={records}
        listQuery={listQuery}
        hint="Clear a filter, or use the search box at the top."
        empty={
          <Empty
            title={`No ${kind} yet`}
            command={firstImportCommand(api, kind)}
            action={mayChange ? <Slot name="firstImport" props={{}} /> : null}
          >
            They appear here once a batch that contains them is imported:
          </Empty>
        }
      />
    </Page>
  );
}

/** Transactions are sorted by local day if they are filtered by day or location. */
function isSortedByDay(kind: RecordKind, params: URLSearchParams): boolean {
  const hasAny = (names: readonly string[]) => names.some((name) => params.has(name));
  return (
    kind === "transactions" &&
    hasAny(["fromDate", "toDate", "location"]) &&
    !hasAny(["run", "account", "contact", "vehicle", "subscription", "text"])
  );
}

function listOf(kind: RecordKind, byDay: boolean): ListDefinition<RecordRow> {
  return {
    name: kind,
    label: kinds[kind].plural,
    columns: columnsOf(kind, byDay),
    rowKey: (record) => record.uuid,
    href: (record) => `/records/${kind}/${record.uuid}`,
    usualSort: "newest",
    exported: { route: "downloadRecords", parameters: { kind } },
  };
}

function columnsOf(kind: RecordKind, byDay: boolean): Column<RecordRow>[] {
  return [
    {
      header: kinds[kind].singular,
      cell: (record) => (
        <Link href={`/records/${kind}/${record.uuid}`} className="monospace">
          {record.reference}
        </Link>
      ),
      breakable: true,
    },
    {
      header: "About",
      cell: (record) => (
        <span title={record.title}>
          <RecordTitle title={record.title} />
        </span>
      ),
      grow: true,
      from: "tablet",
      ...(byDay ? { sort: byTime } : {}),
    },
    ...kinds[kind].columns.map(({ field, ...options }) => ({
      header: toLabel(field),
      cell: (record: RecordRow) => (
        <FieldValue kind={kind} field={field} value={record.fields[field]} timeZone={zoneOf(record.fields)} />
      ),
      ...options,
    })),
    {
      header: "Imported",
      cell: (record) => <Time value={record.createdAt} />,
      align: "right",
      ...(byDay ? {} : { sort: byTime }),
    },
  ];
}

const queryNames = [
  ...["location", "fromDate", "toDate", "run", "account", "contact", "vehicle", "subscription", "text"],
  ...["sort", "before", "after"],
];

function readQuery(params: URLSearchParams): RecordsQuery {
  const query = readNamed(params, queryNames) as RecordsQuery;
  const type = Number(params.get("type"));
  if (type) query.type = type as NonNullable<RecordsQuery["type"]>;
  return query;
}
