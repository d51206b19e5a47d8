import { pluralize } from "../../core/ui/format.js";

export const texts = {
  title: "Sandbox",
  description:
    "For integrators: see every response of the API before you write code for it. The requests run on this service, in the demo organization.",
  unavailable: "Only the demo organization has a sandbox",
  unavailableHelp: "Its data can be reset at any time.",
  groups: {
    success: { title: "Successful requests", description: "A short request for each operation." },
    reason: {
      title: "Reason codes",
      description: "One record for each code. The batch itself is answered with 200.",
    },
    error: { title: "HTTP errors", description: "Requests that are rejected as a whole." },
  },
  reset: {
    action: "Reset to sample data",
    consequences:
      "This deletes everything that was imported into the demo organization or submitted to it, and restores the sample data. Locations, API keys and members stay.",
    confirm: "Reset",
    done: (rows: number) => `${pluralize(rows, "row")} deleted. The sample data has been restored.`,
  },
  sample: {
    expects: (status: number) => `expects ${status}`,
    show: "Show request",
    hide: "Hide",
    run: "Run",
    request: "Request",

    copyRequest: "Copy request",
    asCurl: "As curl",
    curl: "curl command",
    copyCurl: "Copy as curl",
    response: "Response",

    copyResponse: "Copy response",
    notRun: "Run the sample to see the response.",
    spaces: (count: number) => `(and ${count.toLocaleString("en")} spaces)`,
  },
  key: {
    full: (variable: string) => `Set ${variable} to an API key with all permissions.`,
    limited: (variable: string) => `Set ${variable} to an API key that only has the permission imports:read.`,
  },
};
