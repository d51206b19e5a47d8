import { Alert, List, Stack, Text, TextInput } from "@mantine/core";
import type { PersonErased, StoredOfPerson } from "@gatehouse-parking/contract/console";
import { useState, type FormEvent } from "react";
import { DialogButtons } from "../../core/ui/confirm.js";
import { pluralize } from "../../core/ui/format.js";
import { Failure } from "../../core/ui/states.js";
import { useErasure, type Person } from "./use-person.js";

/** Lists what is erased and what stays. The address or number has to be typed to confirm. */
export function EraseDialog({
  person,
  stored,
  onErased,
  close,
}: {
  person: Person;
  stored: StoredOfPerson;
  onErased: (erased: PersonErased) => void;
  close: () => void;
}) {
  const [typed, setTyped] = useState<Person>({});
  const erasure = useErasure(person);
  const identifiers = (["email", "phone"] as const).filter((by) => person[by] !== undefined);
  const isTyped = identifiers.every((by) => typed[by]?.trim().toLowerCase() === person[by]?.toLowerCase());

  function submit(event: FormEvent) {
    event.preventDefault();
    if (isTyped) erasure.mutate(typed, { onSuccess: onErased });
  }

  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        {erasure.error ? <Failure error={erasure.error} /> : null}
        <List size="sm" spacing={4}>
          <List.Item>
            {pluralize(stored.leads, "lead")} and {pluralize(stored.leadNotes, "team note")} will be deleted,
            and so will notes about other leads that mention the person.
          </List.Item>
          <List.Item>
            {pluralize(stored.contacts, "contact")} and the contact of {pluralize(stored.accounts, "account")}{" "}
            will be emptied. Transactions and accounts stay, and no longer lead to the person.
          </List.Item>
          <List.Item>
            Notes of import runs, rows and names of uploaded files, metadata and audit log entries that show
            the person will be erased.
          </List.Item>
        </List>
        <Text size="sm">
          This cannot be undone. The audit log keeps who did it and a hash of the address, and nothing of the
          number.
        </Text>
        <SharedNumberWarning stored={stored} />
        {identifiers.map((by, index) => (
          <TextInput
            key={by}
            label={`Type ${person[by]} to confirm`}
            value={typed[by] ?? ""}
            onChange={(event) => setTyped({ ...typed, [by]: event.currentTarget.value })}
            autoComplete="off"
            data-autofocus={index === 0 || undefined}
          />
        ))}
        {erasure.isPending ? (
          <Text size="sm" component="output">
            Erasing. This may take a few minutes, and goes on if you leave the page.
          </Text>
        ) : null}
        <DialogButtons
          action="Erase person"
          onCancel={close}
          color="red"
          disabled={!isTyped}
          loading={erasure.isPending}
        />
      </Stack>
    </form>
  );
}

/** A phone number may match other people too. */
export function SharedNumberWarning({ stored: { byPhone } }: { stored: StoredOfPerson }) {
  if (byPhone === null) return null;
  return (
    <Alert color="yellow" p="sm">
      Several people may share a phone number, and nobody has checked the numbers in leads. Under this number
      there are {pluralize(byPhone.leads, "lead")}, {pluralize(byPhone.contacts, "contact")} and{" "}
      {pluralize(byPhone.accounts, "account")}: make sure that all of them are this person's.
    </Alert>
  );
}
