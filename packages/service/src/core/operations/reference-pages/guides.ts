import { readFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { codeBlock, escapeHtml, renderMarkdown } from "./layout.js";

export interface Guide {
  name: string;
  title: string;
  /** A Markdown page or a program, by its path in the repository. */
  file: string;
}

/** The pages for partners that the service shows next to the API reference. */
export const guides: readonly Guide[] = [
  {
    name: "integrators",
    title: "Build a reliable integration",
    file: "docs/how-to/build-an-integration.md",
  },
  { name: "from-file-to-first-import", title: "Import a first file", file: "docs/tutorials/first-file.md" },
  { name: "push-files", title: "Push files regularly", file: "docs/how-to/push-files.md" },
  {
    name: "send-files",
    title: "Send files with an API key",
    file: "docs/how-to/send-files-with-an-api-key.md",
  },
  { name: "leads", title: "Submit leads", file: "docs/how-to/submit-leads.md" },
  { name: "receipts", title: "Check a receipt", file: "docs/how-to/check-a-receipt.md" },
  {
    name: "certificates",
    title: "Trust a private certificate",
    file: "docs/how-to/trust-a-private-certificate.md",
  },
  { name: "records", title: "Outcomes, values and relations", file: "docs/reference/records.md" },
  { name: "mapping-files", title: "Mapping files", file: "docs/reference/mapping-files.md" },
  { name: "errors", title: "Errors and reason codes", file: "docs/reference/errors.md" },
  { name: "typescript", title: "Program in TypeScript", file: "examples/typescript/import-sessions.ts" },
  { name: "python", title: "Program in Python", file: "examples/python/import_sessions.py" },
  { name: "shell", title: "Program for the shell", file: "examples/shell/import-sessions.sh" },
  { name: "java", title: "Program in Java", file: "examples/java/ImportSessions.java" },
  {
    name: "receipt-program",
    title: "Program that checks a receipt",
    file: "examples/typescript/check-receipt.ts",
  },
];

export const guideAddress = (name: string): string => `/docs/guides/${name}`;

/** The root of a checkout or of a published package. The path is the same from src and from dist. */
const roots = ["../../../../../../", "../../../../"].map((place) => new URL(place, import.meta.url));

/** Undefined if the service was packed without its documents. */
export async function renderGuide({ title, file }: Guide): Promise<string | undefined> {
  for (const root of roots) {
    const text = await readFile(fileURLToPath(new URL(file, root)), "utf8").catch(() => undefined);
    if (text === undefined) continue;
    if (file.endsWith(".md")) return renderMarkdown(text, (link) => addressOf(link, file));
    return `<h1>${escapeHtml(title)}</h1>\n<p><code>${path.basename(file)}</code></p>\n${codeBlock(text.trimEnd())}`;
  }
  return undefined;
}

/** The target of a repository link on these pages. */
function addressOf(link: string, from: string): string | undefined {
  if (link.startsWith("#")) return link;
  const { pathname, hash, host } = new URL(link, `file:///${from}`);
  if (host !== "") return link;
  if (pathname === "/openapi.json") return pathname;
  const guide = guides.find(({ file }) => pathname === `/${file}`);
  return guide && guideAddress(guide.name) + hash;
}
