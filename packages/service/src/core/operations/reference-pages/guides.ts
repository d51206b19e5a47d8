import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { renderMarkdown } from "./layout.js";

export interface Guide {
  name: string;
  title: string;
  /** Its place below docs/. */
  file: string;
}

/** What stands beside the reference. */
export const guides: readonly Guide[] = [
  { name: "integrators", title: "For integrators", file: "guide/integrators.md" },
  {
    name: "from-file-to-first-import",
    title: "From a file to the first import",
    file: "guide/from-file-to-first-import.md",
  },
  { name: "errors", title: "Errors and reason codes", file: "reference/errors.md" },
];

export const guideAddress = (name: string): string => `/docs/guides/${name}`;

/** In a checkout, and inside a published package: seen alike from src and from dist. */
const folders = ["../../../../../../docs/", "../../../../docs/"].map(
  (place) => new URL(place, import.meta.url),
);

/** Undefined where the texts are not at hand. */
export async function renderGuide({ file }: Guide): Promise<string | undefined> {
  for (const folder of folders) {
    const text = await readFile(fileURLToPath(new URL(file, folder)), "utf8").catch(() => undefined);
    if (text !== undefined) return renderMarkdown(text, (link) => addressOf(link, file));
  }
  return undefined;
}

/** Where a link of the repository leads on these pages. */
function addressOf(link: string, from: string): string | undefined {
  if (link.startsWith("#")) return link;
  const { pathname, hash, host } = new URL(link, `file:///docs/${from}`);
  if (host !== "") return link;
  if (pathname === "/openapi.json") return pathname;
  const guide = guides.find(({ file }) => pathname === `/docs/${file}`);
  return guide && guideAddress(guide.name) + hash;
}
