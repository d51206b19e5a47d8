import { Button, Group, TextInput } from "@mantine/core";
import { useState, type FormEvent } from "react";
import { useHistoryState } from "wouter/use-browser-location";
import { useChange } from "../api/queries.js";
import { Page } from "../ui/page.js";
import { Panel } from "../ui/panel.js";
import { Failure } from "../ui/states.js";
import { StoredPerson } from "./stored-person.js";
import { UnfinishedErasures } from "./unfinished-erasures.js";
import type { Person } from "./use-person.js";

/** What an admin does when a person asks what is stored about them, or wants it gone. */
export default function PeoplePage() {
  const from = useHistoryState<Person | null>();
  const [email, setEmail] = useState(from?.email ?? "");
  const [phone, setPhone] = useState(from?.phone ?? "");
  const [asked, setAsked] = useState<Person | null>(null);
  const find = useChange("findPerson");

  function submit(event: FormEvent) {
    event.preventDefault();
    const person = {
      ...(email.trim() && { email: email.trim() }),
      ...(phone.trim() && { phone: phone.trim() }),
    };
    setAsked(null);
    find.mutate({ body: person }, { onSuccess: () => setAsked(person) });
  }

  return (
    <Page
      title="Personal data"
      description="Everything that is stored of one person: to hand it out, or to erase it. A person is found by e-mail address, by phone number, or by both: then everything under either of them is theirs."
    >
      <UnfinishedErasures />
      <Panel title="Find a person">
        <form onSubmit={submit}>
          <Group align="flex-end" gap="sm">
            <TextInput
              label="E-mail address"
              value={email}
              onChange={(event) => setEmail(event.currentTarget.value)}
              autoComplete="off"
            />
            <TextInput
              label="Phone number"
              value={phone}
              onChange={(event) => setPhone(event.currentTarget.value)}
              autoComplete="off"
            />
            <Button
              type="submit"
              loading={find.isPending}
              disabled={email.trim() === "" && phone.trim() === ""}
            >
              Find
            </Button>
          </Group>
        </form>
      </Panel>
      {find.error ? <Failure error={find.error} /> : null}
      {asked && find.data ? (
        <StoredPerson key={JSON.stringify(asked)} person={asked} stored={find.data} />
      ) : null}
    </Page>
  );
}
