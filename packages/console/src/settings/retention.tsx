import { Stack, Switch, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { isKeptDays, keptDaysRule, keptKinds, type KeptKind } from "@gatehouse-parking/contract";
import type { BodyOf, OrganizationRetention, RetentionPreview } from "@gatehouse-parking/contract/console";
import { useState } from "react";
import { useApi, useChange } from "../api/queries.js";
import { PanelForm } from "../editing/panel-form.js";
import { sourceOf, useSharedForm, type SharedSource } from "../editing/shared-form.js";
import { useOrganization } from "../session/organization.js";
import { useMayChange } from "../session/session.js";
import { Confirm } from "../ui/confirm.js";
import { counted } from "../ui/counted.js";
import { Facts } from "../ui/facts.js";
import { Panel } from "../ui/panel.js";
import { Failure, RowsLoading } from "../ui/states.js";
import { confirmationOf, PendingRetentionNotice } from "./pending-retention.js";

const names: Record<KeptKind, string> = {
  records: "Records",
  exceptions: "Skipped and failed records of runs",
  runDetails: "Values of failed records",
  requestLog: "Request log",
  leads: "Leads",
};
const explained: Record<KeptKind, string> = {
  records:
    "Transactions, accounts, contacts, vehicles and subscriptions, from when they were stored. What a younger record refers to stays.",
  exceptions: "Runs keep their counts. Partners who ask for such a run get it without these results.",
  runDetails: "What failed records had in their wrong fields, and the signs of wrong clocks.",
  requestLog: "Who called what, and how it was answered.",
  leads: "With their notes and states.",
};

/** How long the organization keeps what. */
export default function Retention() {
  const retention = useApi("getRetention");
  const { uuid } = useOrganization();
  const mayChange = useMayChange();
  if (retention.isPending) return <RowsLoading rows={5} />;
  if (retention.error) return <Failure error={retention.error} retry={() => void retention.refetch()} />;
  return (
    <Stack gap="md">
      <PendingRetentionNotice pending={retention.data.pending} />
      {mayChange ? (
        <RetentionForm key={uuid} source={sourceOf(retention)} />
      ) : (
        <RetentionFacts retention={retention.data} />
      )}
    </Stack>
  );
}

function RetentionFacts({ retention }: { retention: OrganizationRetention }) {
  return (
    <Panel title="Retention">
      <Facts
        items={[
          ...retention.data.map((kept): [string, string] => [
            names[kept.what],
            inWords(kept.ownDays ?? kept.usualDays),
          ]),
          ["Keys of deleted records", retention.keepsDeletedKeys ? "stay known" : "are forgotten"],
          ["Equal replays", retention.keepsReplaysOnce ? "kept once a day" : "kept each"],
        ]}
      />
    </Panel>
  );
}

function inWords(days: number | null): string {
  return days === null ? "for ever" : counted(days, "day");
}

type Values = Record<KeptKind, string> & { keepsDeletedKeys: boolean; keepsReplaysOnce: boolean };

function toValues({ data, keepsDeletedKeys, keepsReplaysOnce }: OrganizationRetention): Values {
  const days = Object.fromEntries(
    data.map(({ what, ownDays }) => [what, ownDays === null ? "" : String(ownDays)]),
  );
  return { ...(days as Record<KeptKind, string>), keepsDeletedKeys, keepsReplaysOnce };
}

function daysProblem(days: unknown): string | null {
  const typed = String(days).trim();
  return typed === "" || isKeptDays(Number(typed)) ? null : `Enter ${keptDaysRule}`;
}

function RetentionForm({ source }: { source: SharedSource<OrganizationRetention> }) {
  const change = useChange("changeRetention", { refresh: ["getRetention", "getOrganization"] });
  const preview = useChange("previewRetention");
  const [asked, setAsked] = useState<Asked | null>(null);
  const shared = useSharedForm(
    source,
    toValues,
    Object.fromEntries(keptKinds.map((what) => [what, daysProblem])),
  );

  /** Whatever deletes stored data is shown first. */
  function save(values: Values) {
    change.reset();
    const body = changedFields(shared.opened, values);
    const { days, keepsDeletedKeys } = body;
    preview.mutate(
      { body: { days, keepsDeletedKeys } },
      {
        onSuccess: (deleted) => {
          if (deleted.data.length > 0) setAsked({ body, deleted });
          else store(body);
        },
      },
    );
  }

  function store(body: BodyOf<"changeRetention">) {
    change.mutate(
      { body },
      {
        onSuccess: (stored) => {
          setAsked(null);
          shared.startFrom(stored);
          notifications.show({
            message: body.confirmed
              ? "The change is pending. You can cancel it at the top of this page."
              : "Retention has been saved.",
          });
        },
        // The form says what to do next.
        onError: () => setAsked(null),
      },
    );
  }

  return (
    <>
      <PanelForm
        title="Retention"
        description="Days from when something was stored. Leave a field empty for the usual time."
        shared={shared}
        saving={preview.error ? preview : { ...change, isPending: change.isPending || preview.isPending }}
        save={save}
        action="Save retention"
      >
        {source.saved.data.map(({ what, usualDays }) => (
          <TextInput
            key={what}
            label={names[what]}
            description={explained[what]}
            placeholder={inWords(usualDays)}
            inputMode="numeric"
            maxLength={10}
            {...shared.form.getInputProps(what)}
          />
        ))}
        <Switch
          label="Keys of deleted records stay known"
          description="Sent again, such a record is skipped with its former uuid and not created again. Switching this off deletes the known keys."
          {...shared.form.getInputProps("keepsDeletedKeys", { type: "checkbox" })}
        />
        <Switch
          label="Keep equal replays once a day"
          description="Runs that create nothing and end as an earlier one of the same day refer to it instead of keeping their own results."
          {...shared.form.getInputProps("keepsReplaysOnce", { type: "checkbox" })}
        />
      </PanelForm>
      <Confirm
        confirmation={asked && confirmationOf(asked.deleted)}
        onConfirm={() => asked && store({ ...asked.body, confirmed: countsOf(asked.deleted) })}
        onCancel={() => setAsked(null)}
        isPending={change.isPending}
        error={null}
      />
    </>
  );
}

/** A change that waits for a confirmation. */
interface Asked {
  body: BodyOf<"changeRetention">;
  deleted: RetentionPreview;
}

function countsOf({ data }: RetentionPreview): BodyOf<"changeRetention">["confirmed"] {
  return data.map(({ what, count }) => ({ what, count }));
}

/** Fields that stay as they are keep a pending change of theirs. */
function changedFields(opened: OrganizationRetention, values: Values): BodyOf<"changeRetention"> {
  const before = toValues(opened);
  const { keepsDeletedKeys, keepsReplaysOnce } = values;
  return {
    days: keptKinds
      .filter((what) => values[what] !== before[what])
      .map((what) => ({ what, days: values[what].trim() === "" ? null : Number(values[what]) })),
    ...(keepsDeletedKeys !== before.keepsDeletedKeys && { keepsDeletedKeys }),
    ...(keepsReplaysOnce !== before.keepsReplaysOnce && { keepsReplaysOnce }),
    version: opened.version,
  };
}
