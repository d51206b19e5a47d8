import { Button } from "@mantine/core";
import type { LeadDetail } from "@gatehouse-parking/contract/console";
import { Link } from "wouter";
import type { ConsoleFeature } from "../../core/features.js";
import { lazyPage } from "../../core/ui/lazy-page.js";
import { IconUserCircle } from "../../core/ui/icons.js";
import type { Person } from "./people-page.js";

function ErasePersonButton({ lead }: { lead: LeadDetail }) {
  // Without the phone number, which is not verified. Not in the URL, because browsers keep a history of URLs.
  const person: Person = { email: lead.email };
  return (
    <Button variant="default" renderRoot={(props) => <Link {...props} href="/people" state={person} />}>
      Export or erase this person
    </Button>
  );
}

export const people: ConsoleFeature = {
  name: "people",
  routes: [{ path: "/people", page: lazyPage(() => import("./people-page.js")), onlyAdmins: true }],
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
  auditSubjects: { person: "Personal data" },
  slots: { leadActions: ErasePersonButton },
};
