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
import { texts } from "./texts.js";

type Size = OrganizationStorage["sizes"][number];
type Quota = OrganizationStorage["quotas"][number];

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
        title={texts.storage.title}
        description={
          measuredAt === null ? texts.storage.counted : texts.storage.countedAt(<Moment value={measuredAt} />)
        }
        flush
      >
        <DataTable
          label={texts.storage.title}
          columns={sizeColumns}
          rows={sizes}
          rowKey={(size) => size.what}
        />
      </Panel>
      {role === "operator" ? (
        <QuotasForm key={uuid} source={source} />
      ) : (
        <Panel title={texts.quotas.title} description={texts.quotas.description} flush>
          <DataTable
            label={texts.quotas.title}
            columns={quotaColumns}
            rows={quotas}
            rowKey={({ quota }) => quota}
          />
        </Panel>
      )}
    </Stack>
  );
}

const sizeColumns: Column<Size>[] = [
  {
    header: texts.storage.what,
    cell: ({ what }) => texts.storage.tables[what] ?? toLabel(what.replaceAll("_", " ")),
  },
  { header: texts.storage.rows, value: ({ rows }) => rows, align: "right" },
  { header: texts.storage.size, cell: ({ bytes }) => formatBytes(bytes), align: "right" },
];

const quotaColumns: Column<Quota>[] = [
  { header: texts.quotas.quota, cell: ({ quota }) => texts.quotas.names[quota] },
  {
    header: texts.quotas.limit,
    cell: ({ limit }) => limit?.toLocaleString("en") ?? texts.quotas.none,
    align: "right",
  },
  { header: texts.quotas.used, cell: ({ used }) => used?.toLocaleString("en") ?? "–", align: "right" },
];

type Values = Record<QuotaName, string>;

function toValues({ quotas }: OrganizationStorage): Values {
  return Object.fromEntries(
    quotas.map(({ quota, limit }) => [quota, limit === null ? "" : String(limit)]),
  ) as Values;
}

function quotaProblem(name: QuotaName, typed: string): string | null {
  return typed === "" || isQuota(name, Number(typed)) ? null : texts.quotas.invalid(quotaRule(name));
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
    message: () => texts.quotas.saved,
  });
  return (
    <PanelForm
      {...edit}
      title={texts.quotas.title}
      description={texts.quotas.formDescription}
      action={texts.quotas.save}
    >
      {source.saved.quotas.map(({ quota, used }) => (
        <TextInput
          key={quota}
          label={texts.quotas.names[quota]}
          description={used === null ? undefined : texts.quotas.usedNow(used.toLocaleString("en"))}
          placeholder={texts.quotas.none}
          inputMode="numeric"
          maxLength={20}
          {...shared.form.getInputProps(quota)}
        />
      ))}
    </PanelForm>
  );
}
