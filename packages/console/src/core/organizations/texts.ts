export const texts = {
  title: "Organizations",
  create: "Create organization",
  columns: { name: "Name", uuid: "UUID", created: "Created" },
  demo: "demo",
  filter: "Name or UUID",
  filterHint: "Enter part of the name, or the first characters of the UUID.",
  empty: { title: "No organizations yet", action: "Create the first organization" },
  form: { submit: "Create" },
};
