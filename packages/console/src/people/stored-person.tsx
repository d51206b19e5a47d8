import { Alert, Button, Modal } from "@mantine/core";
import type { PersonErased, StoredOfPerson } from "@gatehouse-parking/contract/console";
import { useState } from "react";
import { counted } from "../ui/counted.js";
import { Facts } from "../ui/facts.js";
import { IconDownload } from "../ui/icons.js";
import { Panel } from "../ui/panel.js";
import { Failure } from "../ui/states.js";
import { EraseDialog } from "./erase-dialog.js";
import { SharedNumber } from "./shared-number.js";
import { useExport, type Person } from "./use-person.js";

/** How much there is of the person, and what can be done with it. */
export function StoredPerson({ person, stored }: { person: Person; stored: StoredOfPerson }) {
  const exporting = useExport(person);
  const [isAsking, setAsking] = useState(false);
  const [erased, setErased] = useState<PersonErased | null>(null);
  if (erased)
    return (
      <Alert color="teal" title="The person was erased" role="alert">
        {inWords(erased)}
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
      <SharedNumber stored={stored} />
      <Facts
        items={[
          ["Leads", shown(stored, "leads")],
          ["Team notes about them", inFigures(stored.leadNotes)],
          ["Contacts", shown(stored, "contacts")],
          ["Accounts with this contact", shown(stored, "accounts")],
        ]}
      />
      <Modal opened={isAsking} onClose={() => setAsking(false)} title="Erase this person?" size="lg">
        <EraseDialog person={person} stored={stored} onErased={setErased} close={() => setAsking(false)} />
      </Modal>
    </Panel>
  );
}

/** Beyond this, leads and accounts are not counted. */
const countedRecords = 1_000;

/** With how many of them are under the address and how many under the number, where it is not the same. */
function shown(
  { byEmail, byPhone, ...all }: StoredOfPerson,
  what: "leads" | "contacts" | "accounts",
): string {
  if (!byEmail || !byPhone) return inFigures(all[what]);
  return `${inFigures(all[what])} (${inFigures(byEmail[what])} by address, ${inFigures(byPhone[what])} by number)`;
}

function inFigures(count: number): string {
  return count < countedRecords
    ? count.toLocaleString("en")
    : `${countedRecords.toLocaleString("en")} or more`;
}

function inWords(erased: PersonErased): string {
  const parts = [
    counted(erased.leadsDeleted, "lead"),
    counted(erased.leadNotesDeleted, "team note"),
    counted(erased.contactsErased, "contact"),
    counted(erased.accountsErased, "account"),
    counted(erased.differencesErased, "note") + " of import runs",
    counted(erased.uploadRowsErased, "row") + " of uploaded files",
  ];
  return `${parts.join(", ")}.`;
}
