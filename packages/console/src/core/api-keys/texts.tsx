import { capitalized, type Permission } from "@gatehouse-parking/contract";
import type { ReactNode } from "react";

function permissionText(permission: Permission): string {
  if (permission === "leads:write") return "submit leads";
  if (permission === "locations:read") return "list locations";
  if (permission === "imports:read") return "read imports";
  if (permission === "uploads:write") return "upload files";
  return `import ${permission.replace(":write", "")}`;
}

const list = new Intl.ListFormat("en-GB");

export const texts = {
  title: "API Keys",
  label: "API keys",
  description: "For your servers and forms. All keys of the organization share its rate limits.",
  create: "Create New API Key",
  empty: {
    title: "No API keys yet",
    action: "Create the first API key",
    forViewers: "An admin of your organization can create one.",
  },
  columns: {
    name: "Name",
    key: "Key",
    status: "Status",
    permissions: "Permissions",
    allPermissions: "all",
    allPermissionsBut: (missing: string) => `all but ${missing}`,
    created: "Created",
    expires: "Expires",
    lastUsed: "Last used",
    lastUsedFrom: "Last used from",
    leadOrigins: "Allowed lead origins",
    leadLimit: "Lead limit",
    replacedBy: "Replaced by",
    actions: "Actions",
  },
  rotatedStatus: (expires: ReactNode, successor: ReactNode) => (
    <>
      expires {expires}, replaced by {successor}
    </>
  ),
  leadLimitOf: (requests: number, seconds: number) => `${requests} per address in ${seconds} s`,
  permission: (permission: Permission) => capitalized(permissionText(permission)),
  page: {
    title: "API key",
    notFound: "It does not belong to this organization.",
    details: "About this key",
  },
  presets: {
    label: "Purpose",
    names: { backEnd: "Back end", webForm: "Web form", custom: "Custom" },
    help: {
      backEnd: "For a server that sends your data.",
      webForm: "For a form on your website. Visitors can read the key, so it can only submit leads.",
      custom: "Choose the permissions yourself.",
    },
    may: (chosen: readonly Permission[]) => `May ${list.format(chosen.map(permissionText))}.`,
    change: "Change",
    changeLabel: "Change permissions",
  },
  form: {
    name: "Name",
    nameHelp: "Where you will use the key, so that you can recognize it later.",
    nameExample: "Booking back end, production",
    nameMissing: "Give the key a name",
    permissions: "Permissions",
    permissionsMissing: "Choose at least one permission",
    leadOrigins: "Allowed lead origins",
    leadOriginsHelp:
      "Websites that may submit leads with this key, such as https://www.example.com. Leave empty to use the organization's list.",
    leadOriginExample: "https://www.example.com",
    expires: "Expires",
    expiresAtMidnight: "Expires on (midnight UTC)",
    expiresHelp: "Leave empty if the key never expires.",
    date: "Date (midnight UTC)",
    dateMissing: "Choose a date",
    create: "Create key",
    save: "Save key",
    saved: (name: string) => `${name} has been saved.`,
  },
  lifetimes: {
    never: "Never",
    30: "In 30 days",
    90: "In 90 days",
    365: "In one year",
    date: "On a date…",
  },
  newKey: {
    warning: "Copy the key now. It won't be shown again.",
    label: "New API key",
    copy: "Copy API key",
    test: {
      title: "Test the key",
      effects: {
        lists: "The command only reads. It answers 200 if the key works.",
        checks:
          "The command checks an incomplete example record and stores nothing. It answers 200 if the key works.",
        fails:
          "The command sends an empty lead, which is rejected, so nothing is stored. It answers 400 if the key works, 403 if not.",
      },
      label: "Test command",
      copy: "Copy command",
    },
    unused: "No request received yet.",
    used: "First request received",
    usage:
      "Send it in the X-API-KEY header. Keep keys with import permissions on your servers, never in a web page or app.",
    saved: "I've saved it",
    done: "Done",
  },
  edit: { open: "Edit…", action: "Edit", title: (name: string) => `Edit ${name}` },
  limit: {
    open: "Lead limit…",
    title: (name: string) => `Lead limit of ${name}`,
    label: "Leads per address",
    help: "Requests/seconds, such as 100/60. Leave empty to use the organization's limit.",
    save: "Save limit",
    saved: (name: string) => `The lead limit of ${name} has been saved.`,
  },
  rotate: {
    open: "Rotate…",
    action: "Rotate",
    title: (name: string) => `Rotate ${name}`,
    explanation: "Creates a new key with the same permissions. It is shown only once.",
    oldKey: "The old key",
    submit: "Rotate key",
    overlaps: {
      none: "Stops working immediately",
      hour: "Keeps working for 1 hour",
      day: "Keeps working for 24 hours",
      week: "Keeps working for 7 days",
      month: "Keeps working for 30 days",
    },
  },
  revoke: {
    open: "Revoke…",
    action: "Revoke",
    title: (name: string) => `Revoke ${name}`,
    consequences: (key: ReactNode, created: ReactNode, lastUsed: ReactNode) => (
      <>
        Requests with the key {key}, created {created}, will be rejected immediately.{" "}
        {lastUsed ? <>It was last used {lastUsed}.</> : "It has never been used."}
      </>
    ),
    submit: "Revoke key",
    description:
      "Requests with this key are rejected immediately. To replace a key without a gap, rotate it.",
    done: (name: string) => `${name} has been revoked.`,
  },
};
