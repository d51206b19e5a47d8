/** 1 record, 2,000 records. */
export function pluralize(count: number, noun: string): string {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}

const seconds = { second: 1, minute: 60, hour: 3_600, day: 86_400 };

/** 600 requests per minute, 1,000 requests in 5 minutes */
export function formatRate(requests: number, windowSeconds: number): string {
  const units = Object.entries(seconds).toReversed();
  const [unit, size] = units.find(([, length]) => windowSeconds % length === 0) as [string, number];
  const span = windowSeconds === size ? `per ${unit}` : `in ${pluralize(windowSeconds / size, unit)}`;
  return `${pluralize(requests, "request")} ${span}`;
}

/** "69 %", "< 1 %" */
export function formatShare(share: number): string {
  return share > 0 && share < 0.01 ? "< 1 %" : `${Math.round(share * 100).toLocaleString("en")} %`;
}

const kiloByte = 1024;

/** 12 KB, 3.4 GB */
export function formatBytes(bytes: number): string {
  if (bytes < kiloByte) return `${bytes} bytes`;
  const [unit, size] =
    bytes < kiloByte ** 2
      ? ["KB", kiloByte]
      : bytes < kiloByte ** 3
        ? ["MB", kiloByte ** 2]
        : ["GB", kiloByte ** 3];
  return `${(bytes / (size as number)).toLocaleString("en", { maximumFractionDigits: 1 })} ${unit}`;
}

/** Indents JSON text without parsing values, so that long numbers, repeated keys and escapes stay as they are. */
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
