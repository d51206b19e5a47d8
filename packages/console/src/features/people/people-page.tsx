import { Alert, Button, Group, TextInput } from "@mantine/core";
import { useState, type FormEvent } from "react";
import { useHistoryState } from "wouter/use-browser-location";
import { useApi, useChange } from "../../core/api/queries.js";
import { Page, Panel } from "../../core/ui/page.js";
import { Failure } from "../../core/ui/states.js";
import { Moment } from "../../core/ui/time.js";
import { StoredPerson } from "./stored-person.js";
import type { Person } from "./use-person.js";

/** Exports or erases the data of one person. */
export default function PeoplePage() {
  const from = useHistoryState<Person | null>();
  const [email, setEmail] = useState(from?.email ?? "");
  const [phone, setPhone] = useState(from?.phone ?? "");
  const [searched, setSearched] = useState<Person | null>(null);
  const find = useChange("findPerson");

  function submit(event: FormEvent) {
    event.preventDefault();
    const person = {
      ...(email.trim() && { email: email.trim() }),
      ...(phone.trim() && { phone: phone.trim() }),
    };
    setSearched(null);
    find.mutate({ body: person }, { onSuccess: () => setSearched(person) });
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
      {searched && find.data ? (
        <StoredPerson key={JSON.stringify(searched)} person={searched} stored={find.data} />
      ) : null}
    </Page>
  );
}

/** Interrupted erasures. Only the admin knows whom to erase again. */
function UnfinishedErasures() {
  const { data: erasures = [] } = useApi("listUnfinishedErasures", { live: true }).data ?? {};
  const oldest = erasures[0];
  if (!oldest) return null;
  return (
    <Alert color="yellow" p="sm">
      {erasures.length === 1 ? "1 erasure has" : `${erasures.length} erasures have`} begun and not come to{" "}
      {erasures.length === 1 ? "its" : "their"} end. {erasures.length === 1 ? "It" : "The oldest"} began{" "}
      <Moment value={oldest.begunAt} />; the audit log says who asked for it. If nobody is at it any more,
      erase the same person again: that completes it.
    </Alert>
  );
}
