export const texts = {
  save: "Save this view",
  name: "View name",
  help: "Saves the filters, order and columns. Only you can see it.",
  submit: "Save",
  remove: (name: string) => `Remove the view ${name}`,
  notRemoved: (reason: string) => `Not removed: ${reason}`,
};
