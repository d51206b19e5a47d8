import { Alert, Badge, Button, Group, Input, SegmentedControl, Stack } from "@mantine/core";
import type { LeadDetail, LeadNote, LeadRow, LeadWorkState } from "@gatehouse-parking/contract/console";
import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import { maxLeadNoteLength } from "@gatehouse-parking/contract";
import { useId, useState } from "react";
import { isVersionConflict } from "../api/errors.js";
import type { RouteName } from "../api/client.js";
import { useChange } from "../api/queries.js";
import { useMayChange } from "../session/session.js";
import { useUnsavedWarning } from "../shell/leave-guard.js";
import { ConfirmChange, Form } from "../ui/form.js";
import { Facts } from "../ui/facts.js";
import { Panel } from "../ui/page.js";
import { Failure } from "../ui/states.js";
import { Moment } from "../ui/time.js";
import { AssigneeSelect } from "./assignee-select.js";
import styles from "./leads.module.css";
import { texts } from "./texts.js";
import { workStates } from "./work-states.js";

export function leadName(lead: LeadRow): string {
  const person = [lead.firstName, lead.lastName].filter(Boolean).join(" ");
  return [person, lead.companyName].filter(Boolean).join(", ");
}

/** The work state does not matter for quarantined leads. */
export function LeadBadges({ lead }: { lead: LeadRow }) {
  return (
    <Group gap={6} className={styles.badges}>
      {lead.state === "quarantined" ? (
        <Badge color="orange">{texts.quarantined}</Badge>
      ) : (
        <WorkStateBadge state={lead.workState} />
      )}
      {lead.duplicateOf ? <Badge color="gray">{texts.duplicate}</Badge> : null}
    </Group>
  );
}

function WorkStateBadge({ state }: { state: LeadWorkState }) {
  const known = workStates.find(({ value }) => value === state);
  return <Badge color={known?.color}>{known?.label ?? state}</Badge>;
}

type LeadChanges = Partial<Pick<LeadDetail, "state" | "workState">> & { assigneeUuid?: string | null };

export type LeadChange = ReturnType<typeof useLeadChange>;

export const changedByWork: RouteName[] = ["getLead", "listLeads", "countNewLeads", "listAudit"];

/** Changes the lead. After a version conflict, nothing is changed and the lead is reloaded. */
export function useLeadChange({ uuid, version }: LeadDetail) {
  const client = useQueryClient();
  const change = useChange("changeLead", { refresh: changedByWork });
  return {
    error: change.error,
    isPending: change.isPending,
    apply: (wanted: LeadChanges, onSuccess?: () => void) =>
      change.mutate(
        { parameters: { leadUuid: uuid }, body: { ...wanted, version } },
        {
          onSuccess: () => onSuccess?.(),
          onError: () => {
            for (const route of changedByWork) void client.invalidateQueries({ queryKey: [route] });
          },
        },
      ),
  };
}

export function LeadStatePanel({
  lead,
  change: { apply, isPending },
}: {
  lead: LeadDetail;
  change: LeadChange;
}) {
  const mayChange = useMayChange();
  return (
    <Panel
      title={texts.columns.status}
      description={
        lead.workChanged
          ? texts.work.setBy(lead.workChanged.actor, <Moment value={lead.workChanged.at} />)
          : texts.work.untouched
      }
    >
      {mayChange ? (
        <Stack gap="sm">
          <SegmentedControl
            fullWidth
            aria-label={texts.columns.status}
            data={workStates.map(({ value, label }) => ({ value, label }))}
            value={lead.workState}
            disabled={isPending}
            onChange={(value) => apply({ workState: value as LeadDetail["workState"] })}
          />
          <AssigneeSelect
            assignee={lead.assignee}
            disabled={isPending}
            onChange={(assigneeUuid) => apply({ assigneeUuid })}
          />
          <QuarantineButton lead={lead} apply={apply} disabled={isPending} />
        </Stack>
      ) : (
        <Facts
          items={[
            [texts.columns.status, <WorkStateBadge key="s" state={lead.workState} />],
            [texts.columns.assignee, lead.assignee?.email ?? texts.assignee.none],
          ]}
        />
      )}
    </Panel>
  );
}

function QuarantineButton({
  lead,
  apply,
  disabled,
}: {
  lead: LeadDetail;
  apply: LeadChange["apply"];
  disabled: boolean;
}) {
  const isIn = lead.state === "quarantined";
  const { add, added, remove, removed } = texts.quarantine;
  return (
    <Button
      variant="default"
      disabled={disabled}
      onClick={() =>
        apply({ state: isIn ? "accepted" : "quarantined" }, () =>
          notifications.show({ message: isIn ? removed : added }),
        )
      }
    >
      {isIn ? remove : add}
    </Button>
  );
}

export function LeadChangeFailure({ error }: { error: unknown }) {
  if (!isVersionConflict(error)) return <Failure error={error} />;
  return (
    <Alert color="yellow" role="alert" p="sm">
      {texts.work.conflict}
    </Alert>
  );
}

/** Notes of the organization's members. The sender never sees them. */
export function LeadNotes({ lead }: { lead: LeadDetail }) {
  const mayChange = useMayChange();
  const [removed, setRemoved] = useState<LeadNote | null>(null);
  const remove = useChange("removeLeadNote", { refresh: ["getLead", "listAudit"] });
  return (
    <Panel title={texts.notes.title} description={texts.notes.description}>
      {lead.workNotes.length > 0 ? (
        <ul className={styles.notes}>
          {lead.workNotes.map((note) => (
            <li key={note.uuid} className={styles.note}>
              <p className={styles.noteText}>{note.text}</p>
              <div className={styles.noteFoot}>
                <span>
                  {note.author}, <Moment value={note.at} />
                </span>
                {mayChange && note.isOwn ? (
                  <Button
                    size="compact-xs"
                    px={0}
                    variant="subtle"
                    color="gray"
                    onClick={() => setRemoved(note)}
                  >
                    {texts.notes.remove}
                  </Button>
                ) : null}
              </div>
            </li>
          ))}
        </ul>
      ) : mayChange ? null : (
        texts.notes.none
      )}
      {mayChange ? <NoteForm leadUuid={lead.uuid} /> : null}
      <ConfirmChange
        confirmation={
          removed && {
            title: texts.notes.removeTitle,
            consequences: removed.text,
            action: texts.notes.removeAction,
            isDangerous: true,
            reversal: null,
          }
        }
        change={remove}
        onClose={() => setRemoved(null)}
        variables={{ parameters: { leadUuid: lead.uuid, noteUuid: removed?.uuid ?? "" } }}
      />
    </Panel>
  );
}

function NoteForm({ leadUuid }: { leadUuid: string }) {
  const field = useId();
  const [text, setText] = useState("");
  const add = useChange("addLeadNote", { refresh: ["getLead", "listAudit"] });
  useUnsavedWarning(text.trim() !== "" && !add.isPending);
  return (
    <Form
      change={add}
      onSubmit={() =>
        add.mutate({ parameters: { leadUuid }, body: { text } }, { onSuccess: () => setText("") })
      }
      action={texts.notes.add}
      disabled={text.trim() === ""}
      width={720}
    >
      <Input.Wrapper label={texts.notes.new} id={field}>
        <Input
          component="textarea"
          multiline
          rows={3}
          id={field}
          maxLength={maxLeadNoteLength}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      </Input.Wrapper>
    </Form>
  );
}
