/** The text is not valid JSON. The message gives the problem and its position. */
export class MalformedJson extends Error {
  override name = "MalformedJson";
}

/** The position in a message. */
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
