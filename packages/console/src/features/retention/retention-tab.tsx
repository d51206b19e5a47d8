import { Alert, Button, Group, List, Stack, Switch, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import {
  type DeletableKind,
  isKeptDays,
  keptDaysRule,
  type KeptKind,
  keptKinds,
} from "@gatehouse-parking/contract";
import type {
  BodyOf,
  OrganizationRetention,
  PendingRetention,
  RetentionPreview,
} from "@gatehouse-parking/contract/console";
import { useState } from "react";
import { useApi, useChange } from "../../core/api/queries.js";
import { PanelForm } from "../../core/editing/edit-forms.js";
import { type SharedSource, sourceOf, useSharedForm } from "../../core/editing/shared-form.js";
import { useMayChange, useOrganization } from "../../core/session/session.js";
import { Confirm, type Confirmation } from "../../core/ui/form.js";
import { Facts } from "../../core/ui/facts.js";
import { pluralize } from "../../core/ui/format.js";
import { IconAlertTriangle } from "../../core/ui/icons.js";
import { Panel } from "../../core/ui/page.js";
import { Failure, Loaded } from "../../core/ui/states.js";
import { SoonTime } from "../../core/ui/time.js";

const kindNames: Record<KeptKind, string> = {
  records: "Records",
  exceptions: "Skipped and failed records of runs",
  runDetails: "Values of failed records",
  requestLog: "Request log",
  leads: "Leads",
};
const kindDescriptions: Record<KeptKind, string> = {
  records:
    "Transactions, accounts, contacts, vehicles and subscriptions, from when they were stored. What a younger record refers to stays.",
  exceptions: "Runs keep their counts. Partners who ask for such a run get it without these results.",
  runDetails: "What failed records had in their wrong fields, and the signs of wrong clocks.",
  requestLog: "Who called what, and how it was answered.",
  leads: "With their notes and states.",
};

export default function RetentionTab() {
  const retention = useApi("getRetention");
  const { uuid } = useOrganization();
  const mayChange = useMayChange();
  return (
    <Loaded query={retention}>
      {(data) => (
        <Stack gap="md">
          <PendingRetentionNotice pending={data.pending} />
          {mayChange ? (
            <RetentionForm key={uuid} source={sourceOf({ ...retention, data })} />
          ) : (
            <RetentionFacts retention={data} />
          )}
        </Stack>
      )}
    </Loaded>
  );
}

function RetentionFacts({ retention }: { retention: OrganizationRetention }) {
  return (
    <Panel title="Retention">
      <Facts
        items={[
          ...retention.data.map((kept): [string, string] => [
            kindNames[kept.what],
            formatDays(kept.ownDays ?? kept.usualDays),
          ]),
          ["Keys of deleted records", retention.keepsDeletedKeys ? "stay known" : "are forgotten"],
          ["Equal replays", retention.keepsReplaysOnce ? "kept once a day" : "kept each"],
        ]}
      />
    </Panel>
  );
}

function formatDays(days: number | null): string {
  return days === null ? "for ever" : pluralize(days, "day");
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
  const [confirming, setConfirming] = useState<PendingSave | null>(null);
  const shared = useSharedForm(
    source,
    toValues,
    Object.fromEntries(keptKinds.map((what) => [what, daysProblem])),
  );

  /** A change that deletes stored data has to be confirmed. */
  function save(values: Values) {
    change.reset();
    const body = changedFields(shared.opened, values);
    const { days, keepsDeletedKeys } = body;
    preview.mutate(
      { body: { days, keepsDeletedKeys } },
      {
        onSuccess: (deleted) => {
          if (deleted.data.length > 0) setConfirming({ body, deleted });
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
          setConfirming(null);
          shared.startFrom(stored);
          notifications.show({
            message: body.confirmed
              ? "The change is pending. You can cancel it at the top of this page."
              : "Retention has been saved.",
          });
        },
        // The form shows the error.
        onError: () => setConfirming(null),
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
            label={kindNames[what]}
            description={kindDescriptions[what]}
            placeholder={formatDays(usualDays)}
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
        confirmation={confirming && confirmationOf(confirming.deleted)}
        onConfirm={() => confirming && store({ ...confirming.body, confirmed: countsOf(confirming.deleted) })}
        change={{ ...change, error: null }}
        onClose={() => setConfirming(null)}
      />
    </>
  );
}

/** A change that waits for a confirmation. */
interface PendingSave {
  body: BodyOf<"changeRetention">;
  deleted: RetentionPreview;
}

function countsOf({ data }: RetentionPreview): BodyOf<"changeRetention">["confirmed"] {
  return data.map(({ what, count }) => ({ what, count }));
}

/** Unchanged fields are left out, so that their pending changes stay. */
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

const nouns: Record<DeletableKind, [one: string, several: string]> = {
  records: ["record", "records"],
  exceptions: ["skipped or failed record", "skipped or failed records"],
  runDetails: ["value of a failed record", "values of failed records"],
  requestLog: ["logged request", "logged requests"],
  leads: ["lead", "leads"],
  deletedKeys: ["key of a deleted record", "keys of deleted records"],
};

/** 21 leads */
function describeDeletion({ what, count, isMinimum }: RetentionPreview["data"][number]): string {
  const [one, several] = nouns[what];
  return `${isMinimum ? "more than " : ""}${count.toLocaleString("en")} ${count === 1 ? one : several}`;
}

function confirmationOf({ data, at }: RetentionPreview): Confirmation {
  return {
    title: "Delete stored data?",
    consequences: (
      <>
        These shorter periods delete, after <SoonTime value={at} />:
        <List size="sm" my="xs">
          {data.map((deleted) => (
            <List.Item key={deleted.what}>{describeDeletion(deleted)}</List.Item>
          ))}
        </List>
        You can cancel until then. Deleted data cannot be restored.
      </>
    ),
    action: "Save and delete",
    isDangerous: true,
    typed: "delete",
  };
}

/** Shorter periods take effect after a delay. */
function PendingRetentionNotice({ pending }: { pending: readonly PendingRetention[] }) {
  const cancel = useChange("cancelRetention", { refresh: ["getRetention", "getOrganization"] });
  const mayChange = useMayChange();
  if (pending.length === 0) return null;
  return (
    <Alert color="yellow" icon={<IconAlertTriangle size={18} />} title="Pending change">
      <Stack gap="xs">
        <Failure error={cancel.error} />
        {pending.map((change) => (
          <Group key={change.what} justify="space-between" wrap="nowrap">
            <span>
              Deletes {describeDeletion(change)} after <SoonTime value={change.at} />. Saved by {change.by}.
            </span>
            {mayChange ? (
              <Button
                size="xs"
                variant="default"
                loading={cancel.isPending}
                aria-label={`Cancel: ${nouns[change.what][1]}`}
                onClick={() =>
                  cancel.mutate(
                    { body: { what: [change.what] } },
                    { onSuccess: () => notifications.show({ message: "The change has been cancelled." }) },
                  )
                }
              >
                Cancel
              </Button>
            ) : null}
          </Group>
        ))}
      </Stack>
    </Alert>
  );
}
