import type { RecordKind, RecordRow } from "@gatehouse-parking/contract/console";
import { Link, useParams } from "wouter";
import { Slot } from "../features.js";
import { firstImportCommand } from "../imports/curl-commands.js";
import type { Filter } from "../lists/filters.js";
import { List, useList, type ListDefinition } from "../lists/list.js";
import { useLocationFilter } from "../locations/location-choices.js";
import { useApiAddress } from "../session/api-address.js";
import { useMayChange } from "../session/session.js";
import { Page } from "../ui/page.js";
import { useQueryState } from "../ui/query-state.js";
import { Empty } from "../ui/states.js";
import type { Column } from "../ui/table.js";
import { FieldValue, RecordTitle, zoneOf } from "./record-details.js";
import { isRecordKind, kinds, toLabel } from "./record-kinds.js";
import { texts } from "./texts.js";

export default function RecordsPage() {
  const { kind } = useParams();
  if (!isRecordKind(kind)) return <Empty title={texts.pageNotFound} />;
  return <RecordList key={kind} kind={kind} />;
}

const linkNames = ["run", "account", "contact", "vehicle", "subscription"];

function RecordList({ kind }: { kind: RecordKind }) {
  const api = useApiAddress();
  const { params } = useQueryState();
  const mayChange = useMayChange();
  const location = useLocationFilter();
  const list: ListDefinition<"listRecords"> = {
    route: "listRecords",
    name: kind,
    label: kinds[kind].plural,
    columns: columnsOf(kind, isSortedByDay(kind, params)),
    rowKey: (record) => record.uuid,
    href: (record) => `/records/${kind}/${record.uuid}`,
    usualSort: "newest",
    exported: { route: "downloadRecords", parameters: { kind } },
  };
  return (
    <Page title={kinds[kind].plural}>
      <List
        found={useList(list, { filters: filtersOf(kind, location), parameters: { kind } })}
        hint={texts.list.hint}
        empty={
          <Empty
            title={texts.list.emptyTitle(kind)}
            command={firstImportCommand(api, kind)}
            action={mayChange ? <Slot name="firstImport" props={{}} /> : null}
          >
            {texts.list.empty}
          </Empty>
        }
      />
    </Page>
  );
}

function filtersOf(kind: RecordKind, location: Filter): Filter[] {
  const { text, type, hasLocation } = kinds[kind];
  const choices = Object.entries(type?.values ?? {}).map(([name, value]) => ({
    value: String(value),
    label: toLabel(name),
  }));
  return [
    { kind: "text", name: "text", label: text },
    ...(type ? [{ kind: "choice", name: "type", label: type.label, isNumber: true, choices } as const] : []),
    ...(hasLocation ? [location] : []),
    ...(kind === "transactions" ? [localDays] : []),
    ...linkNames.map((name): Filter => ({ kind: "link", name, label: texts.list.fromOne(name) })),
  ];
}

const localDays: Filter = {
  kind: "days",
  name: "fromDate",
  to: "toDate",
  label: texts.list.localDays,
  isUtc: false,
};

/** Transactions are sorted by local day if they are filtered by day or location. */
function isSortedByDay(kind: RecordKind, params: URLSearchParams): boolean {
  const hasAny = (names: readonly string[]) => names.some((name) => params.has(name));
  return (
    kind === "transactions" && hasAny(["fromDate", "toDate", "location"]) && !hasAny([...linkNames, "text"])
  );
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
      header: texts.list.description,
      cell: (record) => (
        <span title={record.title}>
          <RecordTitle title={record.title} />
        </span>
      ),
      grow: true,
      from: "tablet",
      ...(byDay ? { sort: "time" } : {}),
    },
    ...kinds[kind].columns.map(({ field, ...options }) => ({
      header: toLabel(field),
      cell: (record: RecordRow) => (
        <FieldValue kind={kind} field={field} value={record.fields[field]} timeZone={zoneOf(record.fields)} />
      ),
      ...options,
    })),
    {
      header: texts.list.imported,
      time: (record) => record.createdAt,
      align: "right",
      ...(byDay ? {} : { sort: "time" }),
    },
  ];
}
