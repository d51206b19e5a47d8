import { Button, Group, List, Stack, Text, TextInput } from "@mantine/core";
import type { PersonErased, StoredOfPerson } from "@gatehouse-parking/contract/console";
import { useState, type FormEvent } from "react";
import { counted } from "../ui/counted.js";
import { Failure } from "../ui/states.js";
import { SharedNumber } from "./shared-number.js";
import { useErasure, type Person } from "./use-person.js";

/** What will go and what will stay; and whoever is sure of it types who it is. */
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
  const asked = (["email", "phone"] as const).filter((by) => person[by] !== undefined);
  const isTyped = asked.every((by) => typed[by]?.trim().toLowerCase() === person[by]?.toLowerCase());

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
            {counted(stored.leads, "lead")} and {counted(stored.leadNotes, "team note")} will be deleted, and
            so will notes about other leads that mention the person.
          </List.Item>
          <List.Item>
            {counted(stored.contacts, "contact")} and the contact of {counted(stored.accounts, "account")}{" "}
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
        <SharedNumber stored={stored} />
        {asked.map((by, index) => (
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
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" color="red" disabled={!isTyped} loading={erasure.isPending}>
            Erase person
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
