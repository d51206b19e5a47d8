/** The state of things does not allow what a person asks for. The message is meant for them. */
export class NotNow extends Error {
  override name = "NotNow";
}
