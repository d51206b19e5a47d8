import { Alert, Button, Group, Stack, Switch, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { isKeptDays, type KeptKind, keptKinds } from "@gatehouse-parking/contract";
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
import { Facts, showValue } from "../../core/ui/facts.js";

import { IconAlertTriangle } from "../../core/ui/icons.js";
import { Panel } from "../../core/ui/page.js";
import { Failure, Loaded } from "../../core/ui/states.js";
import { Time } from "../../core/ui/time.js";
import { texts } from "./texts.js";

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
    <Panel title={texts.tabs.retention}>
      <Facts
        items={[
          ...retention.data.map((kept): [string, string] => [
            texts.kinds[kept.what],
            texts.form.days(kept.ownDays ?? kept.usualDays),
          ]),
          [texts.form.rememberIds, showValue(retention.keepsDeletedKeys)],
          [texts.form.storeResendsOnce, showValue(retention.keepsReplaysOnce)],
        ]}
      />
    </Panel>
  );
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
  return typed === "" || isKeptDays(Number(typed)) ? null : texts.form.invalid;
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
            message: body.confirmed ? texts.form.savedPending : texts.form.saved,
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
        title={texts.tabs.retention}
        description={texts.form.description}
        shared={shared}
        saving={preview.error ? preview : { ...change, isPending: change.isPending || preview.isPending }}
        save={save}
        action={texts.form.save}
      >
        {source.saved.data.map(({ what, usualDays }) => (
          <TextInput
            key={what}
            label={texts.kinds[what]}
            description={texts.kindHelp[what]}
            placeholder={texts.form.days(usualDays)}
            inputMode="numeric"
            maxLength={10}
            {...shared.form.getInputProps(what)}
          />
        ))}
        <Switch
          label={texts.form.rememberIds}
          description={texts.form.rememberIdsHelp}
          {...shared.form.getInputProps("keepsDeletedKeys", { type: "checkbox" })}
        />
        <Switch
          label={texts.form.storeResendsOnce}
          description={texts.form.storeResendsOnceHelp}
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

/** 21 leads */
function describeDeletion({ what, count, isMinimum }: RetentionPreview["data"][number]): string {
  const [one, several] = texts.nouns[what];
  return texts.deletion(count, count === 1 ? one : several, isMinimum);
}

function confirmationOf({ data, at }: RetentionPreview): Confirmation {
  return {
    title: texts.confirm.title,
    consequences: texts.confirm.consequences(<Time value={at} />),
    action: texts.confirm.action,
    isDangerous: true,
    lost: data.map(describeDeletion),
    reversal: texts.confirm.reversal,
    typed: texts.confirm.typed,
  };
}

/** Shorter periods take effect after a delay. */
function PendingRetentionNotice({ pending }: { pending: readonly PendingRetention[] }) {
  const cancel = useChange("cancelRetention", { refresh: ["getRetention", "getOrganization"] });
  const mayChange = useMayChange();
  if (pending.length === 0) return null;
  return (
    <Alert color="yellow" icon={<IconAlertTriangle size={18} />} title={texts.pending.title}>
      <Stack gap="xs">
        <Failure error={cancel.error} />
        {pending.map((change) => (
          <Group key={change.what} justify="space-between" wrap="nowrap">
            <span>{texts.pending.text(describeDeletion(change), <Time value={change.at} />, change.by)}</span>
            {mayChange ? (
              <Button
                size="xs"
                variant="default"
                loading={cancel.isPending}
                aria-label={texts.pending.cancelLabel(texts.nouns[change.what][1])}
                onClick={() =>
                  cancel.mutate(
                    { body: { what: [change.what] } },
                    { onSuccess: () => notifications.show({ message: texts.pending.cancelled }) },
                  )
                }
              >
                {texts.pending.cancel}
              </Button>
            ) : null}
          </Group>
        ))}
      </Stack>
    </Alert>
  );
}
