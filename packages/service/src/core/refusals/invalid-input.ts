import { isStorableText, isWithinLength } from "@gatehouse-parking/contract";

/** Something a person typed into the command line or the console is not acceptable. The message is meant for them. */
export class InvalidInput extends Error {
  override name = "InvalidInput";

  /** What is wrong, one by one, where the message is a headline with several problems below it. */
  readonly problems: string[];

  constructor(message: string, problems: string[] = [message]) {
    super(message);
    this.problems = problems;
  }
}

/** What a person named does not exist, or not in this organization. */
export class NothingFound extends InvalidInput {
  override name = "NothingFound";
}

export function requireText(field: string, value: string, maxLength: number): string {
  if (value.trim() === "") throw new InvalidInput(`${field} must not be empty`);
  if (!isWithinLength(value, maxLength))
    throw new InvalidInput(`${field} must have at most ${maxLength} characters`);
  if (!isStorableText(value))
    throw new InvalidInput(`${field} must not contain U+0000 or half of a surrogate pair`);
  return value;
}
