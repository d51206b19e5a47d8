/** The text is no JSON. The message says what is wrong, and where. */
export class MalformedJson extends Error {
  override name = "MalformedJson";
}

/** What a message calls a position. */
export function place(text: string, at: number): string {
  return at >= text.length ? "at the end" : `at character ${at + 1}`;
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new MalformedJson("The text is not JSON");
  }
}
