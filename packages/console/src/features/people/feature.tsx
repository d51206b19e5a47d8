import { Button } from "@mantine/core";
import type { LeadDetail } from "@gatehouse-parking/contract/console";
import { lazy } from "react";
import { Link } from "wouter";
import type { ConsoleFeature } from "../../core/features.js";
import { IconUserCircle } from "../../core/ui/icons.js";
import type { Person } from "./people-page.js";

function ErasePersonButton({ lead }: { lead: LeadDetail }) {
  // Not the phone number, because nobody has verified it. Not in the address, which browsers keep.
  const person: Person = { email: lead.email };
  return (
    <Button variant="default" renderRoot={(props) => <Link {...props} href="/people" state={person} />}>
      Export or erase this person
    </Button>
  );
}

export const people: ConsoleFeature = {
  name: "people",
  routes: [{ path: "/people", page: lazy(() => import("./people-page.js")), onlyAdmins: true }],
  navigation: [
    {
      to: "/people",
      label: "Personal data",
      icon: IconUserCircle,
      group: "manage",
      order: 40,
      isShown: ({ role }) => role !== "viewer",
    },
  ],
  slots: { leadActions: ErasePersonButton },
};
