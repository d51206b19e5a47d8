import { Marked } from "marked";

export interface Link {
  address: string;
  title: string;
}

export interface PageParts {
  title: string;
  /** The current page in the navigation. */
  address: string;
  /** Groups of links, each below its heading. */
  navigation: { heading: string; links: Link[] }[];
  content: string;
}

/** The frame of all documentation pages. They work without JavaScript. */
export function layOut({ title, address, navigation, content }: PageParts): string {
  const groups = navigation.map(
    ({ heading, links }) =>
      `<h2>${escapeHtml(heading)}</h2><ul>${links.map((link) => navigationItem(link, address)).join("")}</ul>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} - Gatehouse</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/docs/static/docs.css">
<script src="/docs/static/color-scheme.js"></script>
<script src="/docs/static/docs.js" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header>
<a class="name" href="/docs">Gatehouse documentation</a>
<span class="actions"><button type="button" id="scheme" hidden>Dark mode</button> <a href="/">Console</a></span>
</header>
<div class="columns">
<nav aria-label="Documentation">${groups.join("")}</nav>
<main id="content" tabindex="-1">
${content}
</main>
</div>
</body>
</html>
`;
}

function navigationItem({ address, title }: Link, current: string): string {
  const mark = address === current ? ' aria-current="page"' : "";
  return `<li><a href="${escapeHtml(address)}"${mark}>${escapeHtml(title)}</a></li>`;
}

/** Escapes text for use between tags and in attributes. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => entities[character] as string);
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Renders our own Markdown as HTML. It is trusted, so nothing is sanitized. */
export function renderMarkdown(text: string, addressOf: (link: string) => string | undefined): string {
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text: title }) {
        return `<h${depth} id="${slug(title)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const address = addressOf(href);
        const content = this.parser.parseInline(tokens);
        // Unpublished pages are shown as text instead of a link.
        return address === undefined ? content : `<a href="${escapeHtml(address)}">${content}</a>`;
      },
      code({ text: code }) {
        return codeBlock(code);
      },
      image: ({ text: description }) => escapeHtml(description),
    },
  });
  const html = marked.parse(text, { async: false });
  return html
    .replaceAll("<table>", '<div class="wide" tabindex="0"><table>')
    .replaceAll("</table>", "</table></div>");
}

/** Wide tables scroll, also with the keyboard. */
export function codeBlock(code: string, attributes = ""): string {
  return `<pre tabindex="0"${attributes}><code>${escapeHtml(code)}</code></pre>\n`;
}

/** Heading anchors, as in the repository's pages. */
function slug(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
}
