import { Alert, Button, Modal } from "@mantine/core";
import type { PersonErased, StoredOfPerson } from "@gatehouse-parking/contract/console";
import { useState } from "react";
import { Facts } from "../../core/ui/facts.js";
import { pluralize } from "../../core/ui/format.js";
import { IconDownload } from "../../core/ui/icons.js";
import { Panel } from "../../core/ui/page.js";
import { Failure } from "../../core/ui/states.js";
import { EraseDialog, SharedNumberWarning } from "./erase-dialog.js";
import { useExport, type Person } from "./use-person.js";

export function StoredPerson({ person, stored }: { person: Person; stored: StoredOfPerson }) {
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
      {exporting.error ? <Failure error={exporting.error} /> : null}
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
