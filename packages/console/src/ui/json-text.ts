/**
 * Indents JSON text without reading it into values, so that numbers of any length, repeated keys and escapes stay
 * exactly as they were stored.
 */
export function indentJson(text: string): string {
  let depth = 0;
  let out = "";
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g) ?? [];
  tokens.forEach((token, index) => {
    const next = tokens[index + 1];
    if (token === "{" || token === "[") {
      const empty = next === "}" || next === "]";
      if (!empty) depth += 1;
      out += empty ? token : `${token}${newLine(depth)}`;
    } else if (token === "}" || token === "]") {
      const previous = tokens[index - 1];
      if (previous === "{" || previous === "[") out += token;
      else {
        depth -= 1;
        out += `${newLine(depth)}${token}`;
      }
    } else if (token === ",") out += `,${newLine(depth)}`;
    else if (token === ":") out += ": ";
    else out += token;
  });
  return out;
}

const newLine = (depth: number) => `\n${"  ".repeat(depth)}`;
