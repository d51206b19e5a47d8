import { Alert } from "@mantine/core";
import type { StoredOfPerson } from "@gatehouse-parking/contract/console";
import { counted } from "../ui/counted.js";

/** Warns that a phone number may find other people too. */
export function SharedNumber({ stored: { byPhone } }: { stored: StoredOfPerson }) {
  if (byPhone === null) return null;
  return (
    <Alert color="yellow" p="sm">
      Several people may share a phone number, and nobody has checked the numbers in leads. Under this number
      there are {counted(byPhone.leads, "lead")}, {counted(byPhone.contacts, "contact")} and{" "}
      {counted(byPhone.accounts, "account")}: make sure that all of them are this person's.
    </Alert>
  );
}
