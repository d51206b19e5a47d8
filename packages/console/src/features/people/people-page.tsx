import { Alert, Button, Group, List, Modal, Text, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { useHistoryState } from "wouter/use-browser-location";
import type { PersonErased, StoredOfPerson } from "@gatehouse-parking/contract/console";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { request, requestFile, saveFile } from "../../core/api/client.js";
import { useApi, useChange } from "../../core/api/queries.js";
import { useOrganization } from "../../core/session/session.js";
import { Form } from "../../core/ui/form.js";
import { Facts } from "../../core/ui/facts.js";
import { pluralize } from "../../core/ui/format.js";
import { IconDownload } from "../../core/ui/icons.js";
import { Page, Panel } from "../../core/ui/page.js";
import { Failure } from "../../core/ui/states.js";
import { Moment } from "../../core/ui/time.js";

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
      <Failure error={find.error} />
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

function StoredPerson({ person, stored }: { person: Person; stored: StoredOfPerson }) {
  const exporting = useExport(person);
  const [isAsking, setAsking] = useState(false);
  const [erased, setErased] = useState<PersonErased | null>(null);
  if (erased)
    return (
      <Alert color="teal" title="The person was erased" role="alert">
        {describeErasure(erased)}
      </Alert>
    );
  return (
    <Panel
      title={[person.email, person.phone].filter(Boolean).join(", ")}
      description="Notes of import runs and rows of uploaded files may show the person as well. They are looked through when the person is erased."
      actions={
        <>
          {(["json", "ndjson"] as const).map((format) => (
            <Button
              key={format}
              variant="default"
              leftSection={<IconDownload size={16} />}
              loading={exporting.isPending && exporting.variables === format}
              onClick={() => exporting.mutate(format)}
            >
              Export {format.toUpperCase()}
            </Button>
          ))}
          <Button color="red" onClick={() => setAsking(true)}>
            Erase…
          </Button>
        </>
      }
    >
      <Failure error={exporting.error} />
      {stored.isUnfinished ? (
        <Alert color="yellow" p="sm" mb="sm">
          Erasing this person has begun and has not come to its end. If nobody is at it any more, erase the
          person again: that completes it.
        </Alert>
      ) : null}
      <SharedNumberWarning stored={stored} />
      <Facts
        items={[
          ["Leads", formatCounts(stored, "leads")],
          ["Team notes about them", formatCount(stored.leadNotes)],
          ["Contacts", formatCounts(stored, "contacts")],
          ["Accounts with this contact", formatCounts(stored, "accounts")],
        ]}
      />
      <Modal opened={isAsking} onClose={() => setAsking(false)} title="Erase this person?" size="lg">
        <EraseDialog person={person} stored={stored} onErased={setErased} close={() => setAsking(false)} />
      </Modal>
    </Panel>
  );
}

/** The service counts up to this many. */
const countedRecords = 1_000;

/** With the counts by address and by number if both were searched. */
function formatCounts(
  { byEmail, byPhone, ...all }: StoredOfPerson,
  what: "leads" | "contacts" | "accounts",
): string {
  if (!byEmail || !byPhone) return formatCount(all[what]);
  return `${formatCount(all[what])} (${formatCount(byEmail[what])} by address, ${formatCount(byPhone[what])} by number)`;
}

function formatCount(count: number): string {
  return count < countedRecords
    ? count.toLocaleString("en")
    : `${countedRecords.toLocaleString("en")} or more`;
}

function describeErasure(erased: PersonErased): string {
  const parts = [
    pluralize(erased.leadsDeleted, "lead"),
    pluralize(erased.leadNotesDeleted, "team note"),
    pluralize(erased.contactsErased, "contact"),
    pluralize(erased.accountsErased, "account"),
    pluralize(erased.differencesErased, "note") + " of import runs",
    pluralize(erased.uploadRowsErased, "row") + " of uploaded files",
  ];
  return `${parts.join(", ")}.`;
}

/** Lists what is erased and what stays. The address or number has to be typed to confirm. */
function EraseDialog({
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

  return (
    <Form
      change={erasure}
      onSubmit={() => erasure.mutate(typed, { onSuccess: onErased })}
      action="Erase person"
      onCancel={close}
      isDangerous
      disabled={!isTyped}
    >
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
          Notes of import runs, rows and names of uploaded files, metadata and audit log entries that show the
          person will be erased.
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
    </Form>
  );
}

/** A phone number may match other people too. */
function SharedNumberWarning({ stored: { byPhone } }: { stored: StoredOfPerson }) {
  if (byPhone === null) return null;
  return (
    <Alert color="yellow" p="sm">
      Several people may share a phone number, and nobody has checked the numbers in leads. Under this number
      there are {pluralize(byPhone.leads, "lead")}, {pluralize(byPhone.contacts, "contact")} and{" "}
      {pluralize(byPhone.accounts, "account")}: make sure that all of them are this person's.
    </Alert>
  );
}

/** At least one of the two. */
export interface Person {
  email?: string;
  phone?: string;
}

type ExportFormat = "json" | "ndjson";
const fileTypes: Record<ExportFormat, string> = { json: "application/json", ndjson: "application/x-ndjson" };

/** A download with the person in the request body, so that it stays out of addresses. */
function useExport(person: Person) {
  const { uuid: organizationUuid } = useOrganization();
  return useMutation({
    mutationFn: async (format: ExportFormat) => {
      const body = { ...person, format };
      const text = await requestFile("exportPerson", { parameters: { organizationUuid }, body });
      saveFile(`person.${format}`, fileTypes[format], text);
    },
  });
}

/** Each request waits up to 20 seconds, so this is half an hour. */
const maxErasureRequests = 90;

/** Repeats the request until the erasure is done. It continues on the server in between. */
function useErasure(person: Person) {
  const { uuid: organizationUuid } = useOrganization();
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (typed: Person): Promise<PersonErased> => {
      const body = {
        ...person,
        ...(typed.email && { emailConfirmation: typed.email }),
        ...(typed.phone && { phoneConfirmation: typed.phone }),
      };
      for (let question = 0; question < maxErasureRequests; question += 1) {
        const erased = await request("erasePerson", {
          parameters: { organizationUuid },
          body: { ...body, isAskedAgain: question > 0 },
        });
        if (erased.isDone) return erased;
      }
      throw new Error("The person is still being erased. Look again later, or erase the same person again.");
    },
    // Any cached page may show the person.
    onSuccess: () => client.invalidateQueries(),
  });
}
