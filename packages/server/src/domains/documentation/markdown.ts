import MarkdownIt from 'markdown-it';

/** Escapes text from people or a database for a line of Markdown. */
export const plain = (text: string): string =>
  text
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replaceAll(/[\\`*_{}[\]<>#|~!]/g, '\\$&');

/** Formats a name as inline code, regardless of backticks in it. */
export function code(name: string): string {
  const text = name.replaceAll(/\s+/g, ' ');
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  const inner = longest > 0 ? ` ${text} ` : text;
  return `${fence}${inner.replaceAll('|', '\\|')}${fence}`;
}

/** Builds a table. The cells must already be Markdown. */
export const table = (headings: readonly string[], rows: readonly (readonly string[])[]): string =>
  [headings, headings.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

// HTML in a text is escaped, and unsafe link targets such as scripts are refused.
const renderer = new MarkdownIt({ html: false, linkify: false });
renderer.disable('image');

/** Parser with HTML enabled, as in other programs that show the text. */
const reader = new MarkdownIt({ html: true, linkify: false });
const reaching: ReadonlySet<string> = new Set(['html_block', 'html_inline', 'image', 'link_open']);

const reaches = (markdown: string): boolean =>
  reader
    .parse(markdown, {})
    .some(({ type, children }) => reaching.has(type) || children?.some((child) => reaching.has(child.type)));

/** Returns the lines of fenced and indented code, where escapes have no effect. */
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

/** Escapes a model's Markdown, so that no program shows HTML, images or links from it. */
export function withoutReach(markdown: string): string {
  if (!reaches(markdown)) return markdown;
  const defused = escapedOutside(markdown, codeLines(markdown), /(?<!\\)[<[\]!]/g);
  // An existing backslash can reverse an escape. In that case, the whole text becomes plain text.
  return reaches(defused) ? plain(markdown) : defused;
}

const escaped = (text: string): string =>
  text.replaceAll(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

const style =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}' +
  'table{border-collapse:collapse;display:block;overflow-x:auto}td,th{border:1px solid #999;padding:.25rem .5rem;text-align:left}';

/** Returns a complete HTML page without scripts and external resources. */
export const htmlPage = (title: string, markdown: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
  `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">` +
  `<title>${escaped(title)}</title><style>${style}</style></head><body>${renderer.render(markdown)}</body></html>\n`;
