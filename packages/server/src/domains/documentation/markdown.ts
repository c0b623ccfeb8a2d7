import MarkdownIt from 'markdown-it';

/** Text of people or of a database as plain text of a Markdown line. */
export const plain = (text: string): string =>
  text
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replaceAll(/[\\`*_{}[\]<>#|~!]/g, '\\$&');

/** A name as code; whatever it holds, it stays one. */
export function code(name: string): string {
  const text = name.replaceAll(/\s+/g, ' ');
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  const inner = longest > 0 ? ` ${text} ` : text;
  return `${fence}${inner.replaceAll('|', '\\|')}${fence}`;
}

/** A table of cells that are Markdown already. */
export const table = (headings: readonly string[], rows: readonly (readonly string[])[]): string =>
  [headings, headings.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

// HTML in a text is shown as text, and a link leads nowhere that a script could be.
const renderer = new MarkdownIt({ html: false, linkify: false });
renderer.disable('image');

/** Reads a text as other programs do, which take HTML for HTML. */
const reader = new MarkdownIt({ html: true, linkify: false });
const reaching: ReadonlySet<string> = new Set(['html_block', 'html_inline', 'image', 'link_open']);

const reaches = (markdown: string): boolean =>
  reader
    .parse(markdown, {})
    .some(({ type, children }) => reaching.has(type) || children?.some((child) => reaching.has(child.type)));

/** Lines of fenced and indented code, which say everything as it is. */
const codeLines = (markdown: string): ReadonlySet<number> =>
  new Set(
    reader.parse(markdown, {}).flatMap(({ type, map }) => {
      const [first = 0, end = 0] = type === 'fence' || type === 'code_block' ? (map ?? []) : [];
      return Array.from({ length: end - first }, (_, at) => first + at);
    }),
  );

const escapedOutside = (markdown: string, code: ReadonlySet<number>, marks: RegExp): string =>
  markdown
    .split('\n')
    .map((line, at) => (code.has(at) ? line : line.replaceAll(marks, '\\$&')))
    .join('\n');

/**
 * Markdown of a model as Markdown that reaches for nothing: what would be HTML, an image or a link, in whatever program
 * shows it, is text.
 */
export function withoutReach(markdown: string): string {
  if (!reaches(markdown)) return markdown;
  const defused = escapedOutside(markdown, codeLines(markdown), /(?<!\\)[<[\]!]/g);
  // What an escape of the text itself turned around has to go without any.
  return reaches(defused) ? plain(markdown) : defused;
}

const escaped = (text: string): string =>
  text.replaceAll(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

const style =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}' +
  'table{border-collapse:collapse;display:block;overflow-x:auto}td,th{border:1px solid #999;padding:.25rem .5rem;text-align:left}';

/** A page of its own, without scripts and without anything from elsewhere. */
export const htmlPage = (title: string, markdown: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
  `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">` +
  `<title>${escaped(title)}</title><style>${style}</style></head><body>${renderer.render(markdown)}</body></html>\n`;
