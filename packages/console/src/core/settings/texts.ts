import { limitOverrideRule } from "@gatehouse-parking/contract";
import { pluralize } from "../ui/format.js";

/** Labels and help texts of the fields are with the settings, in the contract's organization-settings.ts. */
export const texts = {
  title: "Organization Settings",
  tabs: {
    general: "General",
    apiKeys: "API Keys",
    forms: "Lead forms",
    limits: "Rate limits",
    members: "Members",
    audit: "Audit log",
  },
  forms: {
    save: "Save settings",
    saved: "Your settings have been saved.",
    yes: "yes",
    no: "no",
  },
  captcha: {
    title: "Captcha",
    description: "Every lead must carry a captcha token, which the service verifies with the provider.",
    provider: "Provider",
    off: "Off",
    isOff: "off",
    secret: "Secret",
    secretHelp: "Stored encrypted and never shown again.",
    secretStored: "A secret is stored. Leave empty to keep it.",
    secretMissing: "Enter the secret from your account with the provider",
    minimumScore: "Minimum score",
    minimumScoreHelp: "From 0 to 1, for providers that score visitors. Leave empty to accept any score.",
    hostnames: "Hostnames",
    hostnamesHelp: "The token must come from one of these. Leave empty to accept any.",
  },
  general: {
    name: "Name",
    nameHelp: "Shown in the console. Nothing else depends on it.",
    nameMissing: "Enter a name",
    rename: "Rename",
    renamed: "The organization has been renamed.",
    details: "Details",
    uuid: "UUID",
    created: "Created",
  },
  limits: {
    description:
      "Requests allowed per sliding window, and the requests in the current window. Operators of the service can change the limits.",
    operation: "Operation",
    columns: { limit: "Limit", used: "In use", actions: "Actions" },
    own: (usual: string) => `Own limit. Default: ${usual}`,
    used: (used: string, share: string) => `${used}, ${share}`,
    bar: (name: string, share: string) => `${name}: ${share} of the limit`,
    notCounted: "not counted",
    allKeys: "All API keys together",
    eachAddress: "Each IP address",
    edit: "Edit",
    editLabel: (name: string) => `Edit ${name}`,
    editTitle: (name: string) => `Limit of ${name}`,
    field: "Requests/seconds",
    fieldHelp: (usual: string) =>
      `Such as 1000/60. Leave it empty to use the default of ${usual}. Changes take effect immediately.`,
    invalid: `Enter ${limitOverrideRule}`,
    save: "Save limit",
    saved: "The limit has been saved and is in effect.",
  },
  members: {
    title: "Members",
    description: "Admins can make changes. Viewers can only view.",
    invite: "Invite member",
    email: "Email",
    role: "Role",
    status: "Status",
    twoFactor: "Two-factor",
    lastSeen: "Last seen",
    added: "Added",
    actions: "Actions",
    you: "you",
    empty: { title: "No members yet", action: "Invite the first member" },
    viewer: "Viewer: can view everything, change nothing",
    admin: "Admin: can change everything in this organization",
    createLink: "Create sign-in link",
    link: {
      title: "One-time sign-in link",
      label: "Sign-in link",
      copy: "Copy link",
      send: (email: string) => `Send this link to ${email}. It is shown only now, works once and expires`,
      existingAccount: "A person who already has an account signs in to it to accept.",
    },
  },
  memberActions: {
    makeAdmin: {
      label: "Make admin",
      title: (email: string) => `Make ${email} an admin`,
      consequences:
        "They can immediately change everything in this organization: settings, API keys, members, locations and leads.",
      action: "Make admin",
    },
    makeViewer: {
      label: "Make viewer",
      title: (email: string) => `Make ${email} a viewer`,
      consequences:
        "They can view everything in this organization except the audit log, and can no longer change anything. This takes effect immediately.",
      action: "Make viewer",
    },
    link: {
      label: "New sign-in link",
      title: (email: string) => `New sign-in link for ${email}`,
      consequencesWithPassword:
        "Creates a link that signs them in once within 24 hours, as long as you remain an admin. Their password and sessions do not change. To replace a forgotten password, they need a two-factor code or single sign-on.",
      consequences:
        "Creates a link that signs them in once within 24 hours. A person who already has an account signs in to it to accept the invitation. Others set a password.",
      action: "Create link",
    },
    resetSecondFactor: {
      label: "Reset two-factor authentication",
      title: (email: string) => `Reset two-factor authentication of ${email}`,
      consequences:
        "Use this if they have lost both their authenticator app and their recovery codes. Verify their identity first: until they set it up again, a password or a sign-in link is enough to sign in.",
      reversal: "They can set it up again.",
      action: "Reset",
    },
    disable: {
      label: "Disable",
      title: (email: string) => `Disable ${email}`,
      consequences:
        "They lose access to this organization immediately. If they belong to no other organization, they are signed out everywhere and their sign-in links stop working. Their past changes stay.",
      reversal: "You can enable them again.",
      action: "Disable",
    },
    enable: {
      label: "Enable",
      title: (email: string) => `Enable ${email}`,
      consequencesWithPassword: "They can sign in again with their password.",
      consequences:
        "They can sign in again. They have no password, so create a new sign-in link for them afterwards.",
      action: "Enable",
    },
    remove: {
      label: "Remove",
      title: (email: string) => `Remove ${email}`,
      consequences:
        "They lose access to this organization immediately. If they belong to no other organization, their account is deleted, with its password, two-factor authentication and sessions. Their past changes stay.",
      reversal: "You can invite them again.",
      action: "Remove",
    },
  },
  twoFactor: {
    title: "Two-factor authentication",
    required: "required",
    optional: "optional",
    description:
      "Members set it up in their own account. They are then asked for a code from an authenticator app after their password.",
    require: "Require for everyone",
    makeOptional: "Make optional",
    requireTitle: "Require two-factor authentication",
    requireConsequences: (without: number) =>
      `Members and operators without two-factor authentication lose access to this organization immediately, until they set it up. Currently, ${pluralize(without, "member")} ${without === 1 ? "has" : "have"} not set it up.`,
    requireAction: "Require",
    optionalTitle: "Make two-factor authentication optional",
    optionalConsequences:
      "Members who have set it up are still asked for a code. The others get access again.",
  },
};
