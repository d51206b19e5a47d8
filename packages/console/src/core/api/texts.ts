/** Error texts for responses without a message. */
export const texts = {
  answered: (status: number) => `The server responded with status ${status}`,
  unreachable: "Cannot reach the server",
  unreachableChange:
    "No response was received, so your change may or may not have been saved. Check before you try again.",
  unreachableQuery: "Check your connection and that the service is running, then try again.",
  pageFailed: "Something went wrong on this page",
  notAllowed: "Your role does not allow this. Ask an admin of your organization.",
  notFound: "It may have been deleted, or it belongs to another organization.",
  tooManyRequests: "Too many requests. Wait a moment, then try again.",
  serverError: "Try again. If the problem persists, send the request ID to the operator of the service.",
  tryAgain: "Try again.",
};
