export const texts = {
  title: "Audit log",
  filter: "Subject",
  subjects: {
    "api-key": "API keys",
    import: "Imports",
    lead: "Leads",
    location: "Locations",
    user: "Members",
    organization: "Organization",
  },
  text: "Action, detail or UUID",
  columns: {
    when: "Time",
    who: "User",
    action: "Action",
    subject: "Subject",
    detail: "Details",
    address: "Address",
  },
  deleted: (kind: string) => `deleted ${kind}`,
  import: (uuid: string) => `import …${uuid.slice(-8)}`,
  noValue: "none",
  hint: "Older entries may still match. Go to the older pages below.",
  empty: {
    title: "No changes yet",
    text: "Every change that someone makes here is recorded.",
  },
};
