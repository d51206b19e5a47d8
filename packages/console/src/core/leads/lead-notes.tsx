import { Button, Input, Stack } from "@mantine/core";
import { maxLeadNoteLength } from "@gatehouse-parking/contract";
import type { LeadDetail, LeadNote } from "@gatehouse-parking/contract/console";
import { useId, useState } from "react";
import { useChange } from "../api/queries.js";
import { useMayChange } from "../session/session.js";
import { Confirm } from "../ui/confirm.js";
import { Panel } from "../ui/page.js";
import { Failure } from "../ui/states.js";
import { Moment } from "../ui/time.js";
import styles from "./leads.module.css";

/** Notes of the organization's members. The sender never sees them. */
export function LeadNotes({ lead }: { lead: LeadDetail }) {
  const mayChange = useMayChange();
  const [removed, setRemoved] = useState<LeadNote | null>(null);
  const remove = useChange("removeLeadNote", { refresh: ["getLead"] });
  return (
    <Panel
      title="Team notes"
      description="For the people of your organization; the sender does not see them."
    >
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
                  <Button size="compact-xs" variant="subtle" color="gray" onClick={() => setRemoved(note)}>
                    Remove
                  </Button>
                ) : null}
              </div>
            </li>
          ))}
        </ul>
      ) : mayChange ? null : (
        "None yet."
      )}
      {mayChange ? <NoteForm leadUuid={lead.uuid} /> : null}
      <Confirm
        confirmation={
          removed && {
            title: "Remove this note?",
            consequences: removed.text,
            action: "Remove note",
            isDangerous: true,
          }
        }
        isPending={remove.isPending}
        error={remove.error}
        onCancel={() => {
          setRemoved(null);
          remove.reset();
        }}
        onConfirm={() =>
          removed &&
          remove.mutate(
            { parameters: { leadUuid: lead.uuid, noteUuid: removed.uuid } },
            { onSuccess: () => setRemoved(null) },
          )
        }
      />
    </Panel>
  );
}

function NoteForm({ leadUuid }: { leadUuid: string }) {
  const field = useId();
  const [text, setText] = useState("");
  const add = useChange("addLeadNote", { refresh: ["getLead"] });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        add.mutate({ parameters: { leadUuid }, body: { text } }, { onSuccess: () => setText("") });
      }}
    >
      <Stack gap="xs" align="flex-start">
        {add.error ? <Failure error={add.error} /> : null}
        <Input.Wrapper label="New note" id={field} w="100%">
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
        <Button type="submit" size="xs" loading={add.isPending} disabled={text.trim() === ""}>
          Add note
        </Button>
      </Stack>
    </form>
  );
}
