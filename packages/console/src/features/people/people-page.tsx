import { Alert, Button, Group, List, Modal, Text, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { useLocation } from "wouter";
import { useHistoryState } from "wouter/use-browser-location";
import type { PersonErased, StoredOfPerson } from "@gatehouse-parking/contract/console";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { request, requestFile, saveFile } from "../../core/api/client.js";
import { forgetRecentPages } from "../../core/session/recent-pages.js";
import { useApi, useChange } from "../../core/api/queries.js";
import { useOrganization } from "../../core/session/session.js";
import { Form } from "../../core/ui/form.js";
import { Facts } from "../../core/ui/facts.js";

import { IconDownload } from "../../core/ui/icons.js";
import { Page, Panel } from "../../core/ui/page.js";
import { Failure } from "../../core/ui/states.js";
import { Moment } from "../../core/ui/time.js";
import { texts } from "./texts.js";

/** Exports or erases the data of one person. */
export default function PeoplePage() {
  const from = useHistoryState<Person | null>();
  const [, navigate] = useLocation();
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
    <Page title={texts.title} description={texts.description}>
      <UnfinishedErasures />
      <Panel title={texts.find.title}>
        <form onSubmit={submit}>
          <Group align="flex-end" gap="sm">
            <TextInput
              label={texts.find.email}
              value={email}
              onChange={(event) => setEmail(event.currentTarget.value)}
              autoComplete="off"
            />
            <TextInput
              label={texts.find.phone}
              value={phone}
              onChange={(event) => setPhone(event.currentTarget.value)}
              autoComplete="off"
            />
            <Button
              type="submit"
              loading={find.isPending}
              disabled={email.trim() === "" && phone.trim() === ""}
            >
              {texts.find.submit}
            </Button>
          </Group>
        </form>
      </Panel>
      <Failure error={find.error} />
      {searched && find.data ? (
        <StoredPerson
          key={JSON.stringify(searched)}
          person={searched}
          stored={find.data}
          onErased={() => {
            setEmail("");
            setPhone("");
            // The lead's page left the address there.
            navigate("/people", { replace: true, state: null });
          }}
        />
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
      {texts.unfinished(erasures.length, <Moment value={oldest.begunAt} />)}
    </Alert>
  );
}

function StoredPerson({
  person,
  stored,
  onErased,
}: {
  person: Person;
  stored: StoredOfPerson;
  onErased: () => void;
}) {
  const exporting = useExport(person);
  const [isAsking, setAsking] = useState(false);
  const [erased, setErased] = useState<PersonErased | null>(null);
  if (erased)
    return (
      <Alert color="teal" title={texts.erased.title} role="alert">
        {texts.erased.summary(erased)}
      </Alert>
    );
  return (
    <Panel
      title={[person.email, person.phone].filter(Boolean).join(", ")}
      description={texts.stored.description}
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
              {texts.stored.export(format)}
            </Button>
          ))}
          <Button color="red" onClick={() => setAsking(true)}>
            {texts.stored.erase}
          </Button>
        </>
      }
    >
      <Failure error={exporting.error} />
      {stored.isUnfinished ? (
        <Alert color="yellow" p="sm" mb="sm">
          {texts.unfinishedPerson}
        </Alert>
      ) : null}
      <SharedNumberWarning stored={stored} />
      <Facts
        items={[
          [texts.stored.leads, formatCounts(stored, "leads")],
          [texts.stored.notes, formatCount(stored.leadNotes)],
          [texts.stored.contacts, formatCounts(stored, "contacts")],
          [texts.stored.accounts, formatCounts(stored, "accounts")],
        ]}
      />
      <Modal opened={isAsking} onClose={() => setAsking(false)} title={texts.erase.title} size="lg">
        <EraseDialog
          person={person}
          stored={stored}
          onErased={(counts) => {
            setErased(counts);
            onErased();
          }}
          close={() => setAsking(false)}
        />
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
  return texts.stored.countsBy(
    formatCount(all[what]),
    formatCount(byEmail[what]),
    formatCount(byPhone[what]),
  );
}

function formatCount(count: number): string {
  return count < countedRecords
    ? count.toLocaleString("en")
    : texts.stored.countOrMore(countedRecords.toLocaleString("en"));
}

/** Lists the affected data. The user confirms by typing the email address or phone number. */
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
      action={texts.erase.submit}
      onCancel={close}
      isDangerous
      disabled={!isTyped}
    >
      <List size="sm" spacing={4}>
        <List.Item>{texts.erase.leads(stored.leads, stored.leadNotes)}</List.Item>
        <List.Item>{texts.erase.contacts(stored.contacts, stored.accounts)}</List.Item>
        <List.Item>{texts.erase.others}</List.Item>
      </List>
      <Text size="sm">{texts.erase.warning}</Text>
      <SharedNumberWarning stored={stored} />
      {identifiers.map((by, index) => (
        <TextInput
          key={by}
          label={texts.erase.typeToConfirm(person[by] ?? "")}
          value={typed[by] ?? ""}
          onChange={(event) => setTyped({ ...typed, [by]: event.currentTarget.value })}
          autoComplete="off"
          data-autofocus={index === 0 || undefined}
        />
      ))}
      {erasure.isPending ? (
        <Text size="sm" component="output">
          {texts.erase.inProgress}
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
      {texts.sharedNumber(byPhone.leads, byPhone.contacts, byPhone.accounts)}
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
      throw new Error(texts.erase.stillRunning);
    },
    // Any cached page may show the person, even if it is opened only later.
    onSuccess: () => {
      client.removeQueries({ type: "inactive" });
      forgetRecentPages(client);
      return client.invalidateQueries();
    },
  });
}
