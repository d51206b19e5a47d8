import { Stack, TextInput } from "@mantine/core";
import { isQuota, quotaRule, type QuotaName } from "@gatehouse-parking/contract";
import type { OrganizationStorage } from "@gatehouse-parking/contract/console";
import { useState } from "react";
import { useApi } from "../../core/api/queries.js";
import { DialogForm, useSave } from "../../core/editing/edit-forms.js";
import { sourceOf, useSharedForm, type SharedSource } from "../../core/editing/shared-form.js";
import { toLabel } from "../../core/records/record-kinds.js";
import { useOrganization } from "../../core/session/session.js";
import { LimitDialog, LimitTable, type LimitRow } from "../../core/settings/limit-table.js";
import { formatBytes } from "../../core/ui/format.js";
import { Panel, PanelLoading } from "../../core/ui/page.js";
import { Loaded } from "../../core/ui/states.js";
import { DataTable, type Column } from "../../core/ui/table.js";
import { Moment } from "../../core/ui/time.js";
import { texts } from "./texts.js";

type Size = OrganizationStorage["sizes"][number];
type Quota = OrganizationStorage["quotas"][number];

/** Operators edit quotas; other users see them. */
export default function StorageTab() {
  const storage = useApi("getStorage");
  return (
    <Loaded query={storage} loading={<PanelLoading />}>
      {(data) => <Storage source={sourceOf({ ...storage, data })} />}
    </Loaded>
  );
}

function Storage({ source }: { source: SharedSource<OrganizationStorage> }) {
  const { role } = useOrganization();
  const [edited, setEdited] = useState<QuotaName>();
  const close = () => setEdited(undefined);
  const { measuredAt, sizes } = source.saved;
  const rows = source.saved.quotas.map(toRow);
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
      <LimitTable
        title={texts.quotas.title}
        description={texts.quotas.description}
        header={texts.quotas.quota}
        rows={rows}
        edit={role === "operator" ? setEdited : undefined}
      >
        <LimitDialog row={rows.find(({ key }) => key === edited)} onClose={close}>
          {(row) => <QuotaForm row={row} source={source} onClose={close} />}
        </LimitDialog>
      </LimitTable>
    </Stack>
  );
}

function toRow({ quota, limit, used }: Quota): LimitRow<QuotaName> {
  return {
    key: quota,
    name: texts.quotas.names[quota],
    limit: limit === null ? texts.quotas.none : texts.quotas.amount[quota](limit),
    replaces: limit === null ? null : texts.quotas.none,
    maximum: limit,
    used,
    ...(quota === "storageBytes" && { formatUsed: formatBytes }),
  };
}

const sizeColumns: Column<Size>[] = [
  {
    header: texts.storage.what,
    cell: ({ what }) => texts.storage.tables[what] ?? toLabel(what.replaceAll("_", " ")),
  },
  { header: texts.storage.rows, value: ({ rows }) => rows, align: "right" },
  { header: texts.storage.size, cell: ({ bytes }) => formatBytes(bytes), align: "right" },
];

function QuotaForm({
  row: { key: quota, name },
  source,
  onClose,
}: {
  row: LimitRow<QuotaName>;
  source: SharedSource<OrganizationStorage>;
  onClose: () => void;
}) {
  const toValues = ({ quotas }: OrganizationStorage) => ({
    limit: String(quotas.find((candidate) => candidate.quota === quota)?.limit ?? ""),
  });
  const problem = (typed: string) =>
    typed.trim() === "" || isQuota(quota, Number(typed)) ? null : texts.quotas.invalid(quotaRule(quota));
  const shared = useSharedForm(source, toValues, { limit: problem });
  const edit = useSave("changeQuotas", shared, {
    refresh: ["getStorage", "getOrganization"],
    toBody: ({ limit }, { version }) => ({
      quotas: [{ quota, limit: limit.trim() === "" ? null : Number(limit) }],
      version,
    }),
    message: () => texts.quotas.saved,
    onSaved: onClose,
  });
  return (
    <DialogForm {...edit} action={texts.quotas.save} onCancel={onClose}>
      <TextInput
        label={quota === "storageBytes" ? texts.quotas.bytes : name}
        description={texts.quotas.fieldHelp}
        placeholder={texts.quotas.none}
        inputMode="numeric"
        maxLength={20}
        data-autofocus
        {...shared.form.getInputProps("limit")}
      />
    </DialogForm>
  );
}
