import { Marked } from "marked";
import { escapeHtml } from "./html.js";

/** Our own texts as HTML. Nothing of others comes this way, so nothing is filtered out of it. */
export function renderMarkdown(text: string, addressOf: (link: string) => string | undefined): string {
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text: title }) {
        return `<h${depth} id="${slug(title)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const address = addressOf(href);
        const content = this.parser.parseInline(tokens);
        // What is not published here is named all the same.
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

/** One that is too wide is scrolled, with the keyboard too. */
export function codeBlock(code: string, attributes = ""): string {
  return `<pre tabindex="0"${attributes}><code>${escapeHtml(code)}</code></pre>\n`;
}

/** As the repository's own pages name their headings. */
function slug(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
}
