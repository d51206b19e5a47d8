import { Stack, TextInput } from "@mantine/core";
import { isQuota, quotaNames, quotaRule, type QuotaName } from "@gatehouse-parking/contract";
import type { OrganizationStorage } from "@gatehouse-parking/contract/console";
import { useApi } from "../../core/api/queries.js";
import { PanelForm, useSave } from "../../core/editing/edit-forms.js";
import { sourceOf, useSharedForm, type SharedSource } from "../../core/editing/shared-form.js";
import { toLabel } from "../../core/records/record-kinds.js";
import { useOrganization } from "../../core/session/session.js";
import { formatBytes } from "../../core/ui/format.js";
import { Panel } from "../../core/ui/page.js";
import { Loaded } from "../../core/ui/states.js";
import { DataTable, type Column } from "../../core/ui/table.js";
import { Moment } from "../../core/ui/time.js";

type Size = OrganizationStorage["sizes"][number];
type Quota = OrganizationStorage["quotas"][number];

const quotaTitles: Record<QuotaName, string> = {
  records: "Records",
  storageBytes: "Storage, in bytes",
  leadsPerDay: "Leads in 24 hours",
};

/** Operators edit quotas; other users see them. */
export default function StorageTab() {
  const storage = useApi("getStorage");
  return <Loaded query={storage}>{(data) => <Storage source={sourceOf({ ...storage, data })} />}</Loaded>;
}

function Storage({ source }: { source: SharedSource<OrganizationStorage> }) {
  const { uuid, role } = useOrganization();
  const { measuredAt, sizes, quotas } = source.saved;
  return (
    <Stack gap="md">
      <Panel
        title="Stored"
        description={
          measuredAt === null ? (
            "Records are counted as they are stored. Other tables are counted about once an hour."
          ) : (
            <>
              Records are counted as they are stored, other tables about once an hour: last{" "}
              <Moment value={measuredAt} />. Sizes are estimates without indexes.
            </>
          )
        }
        flush
      >
        <DataTable label="Stored" columns={sizeColumns} rows={sizes} rowKey={(size) => size.what} />
      </Panel>
      {role === "operator" ? (
        <QuotasForm key={uuid} source={source} />
      ) : (
        <Panel
          title="Quotas"
          description="What goes beyond them is refused. Operators of the service can change them."
          flush
        >
          <DataTable label="Quotas" columns={quotaColumns} rows={quotas} rowKey={({ quota }) => quota} />
        </Panel>
      )}
    </Stack>
  );
}

/** Other tables are named like their pages. */
const sizeTitles: Record<string, string> = {
  records: "Records of all kinds",
  deleted_records: "Keys of deleted records",
  import_exceptions: "Skipped and failed records of runs",
  import_sent_values: "Values of failed records",
  upload_batches: "Batches of uploads",
  upload_pieces: "Files of uploads",
};

const sizeColumns: Column<Size>[] = [
  { header: "What", cell: ({ what }) => sizeTitles[what] ?? toLabel(what.replaceAll("_", " ")) },
  { header: "Rows", value: ({ rows }) => rows, align: "right" },
  { header: "Size, about", cell: ({ bytes }) => formatBytes(bytes), align: "right" },
];

const quotaColumns: Column<Quota>[] = [
  { header: "Quota", cell: ({ quota }) => quotaTitles[quota] },
  { header: "Limit", cell: ({ limit }) => limit?.toLocaleString("en") ?? "none", align: "right" },
  { header: "Used", cell: ({ used }) => used?.toLocaleString("en") ?? "–", align: "right" },
];

type Values = Record<QuotaName, string>;

function toValues({ quotas }: OrganizationStorage): Values {
  return Object.fromEntries(
    quotas.map(({ quota, limit }) => [quota, limit === null ? "" : String(limit)]),
  ) as Values;
}

function quotaProblem(name: QuotaName, typed: string): string | null {
  return typed === "" || isQuota(name, Number(typed)) ? null : `Enter ${quotaRule(name)}`;
}

function QuotasForm({ source }: { source: SharedSource<OrganizationStorage> }) {
  const problemOf = (name: QuotaName) => (limit: unknown) => quotaProblem(name, String(limit).trim());
  const problems = Object.fromEntries(quotaNames.map((name) => [name, problemOf(name)]));
  const shared = useSharedForm(source, toValues, problems);
  const edit = useSave("changeQuotas", shared, {
    refresh: ["getStorage", "getOrganization"],
    toBody: (values, opened) => {
      const before = toValues(opened);
      const changed = quotaNames.filter((quota) => values[quota] !== before[quota]);
      const limitOf = (quota: QuotaName) => (values[quota].trim() === "" ? null : Number(values[quota]));
      return { quotas: changed.map((quota) => ({ quota, limit: limitOf(quota) })), version: opened.version };
    },
    message: () => "The quotas have been saved. They hold from now on.",
  });
  return (
    <PanelForm
      {...edit}
      title="Quotas"
      description="What goes beyond them is refused, and nothing of it is stored. Leave a field empty for no quota."
      action="Save quotas"
    >
      {source.saved.quotas.map(({ quota, used }) => (
        <TextInput
          key={quota}
          label={quotaTitles[quota]}
          description={used === null ? undefined : `${used.toLocaleString("en")} at this moment`}
          placeholder="none"
          inputMode="numeric"
          maxLength={20}
          {...shared.form.getInputProps(quota)}
        />
      ))}
    </PanelForm>
  );
}
