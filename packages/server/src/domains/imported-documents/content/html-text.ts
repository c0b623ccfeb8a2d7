import { Tokenizer } from 'htmlparser2';
import { createTextBuilder, type TextBuilder } from './text-builder.ts';

/** Title and readable text of an HTML document. */
export type ReducedHtml = {
  /** Text of the first `title` element; null if it is missing or empty. */
  readonly title: string | null;
  readonly text: string;
};

/** Elements whose content is not text of the document. */
const skippedElements: ReadonlySet<string> = new Set([
  'script',
  'style',
  'template',
  'noscript',
  'iframe',
  'noembed',
  'noframes',
  'object',
  'svg',
  'math',
  'canvas',
  'audio',
  'video',
  'select',
  'textarea',
  'button',
]);
/** Elements that `/>` closes. HTML ignores the slash in every other element. */
const foreignElements: ReadonlySet<string> = new Set(['svg', 'math']);
const paragraphElements: ReadonlySet<string> = new Set([
  'p',
  'pre',
  'blockquote',
  'table',
  'ul',
  'ol',
  'dl',
  'section',
  'article',
  'main',
  'aside',
  'nav',
  'header',
  'footer',
  'figure',
  'form',
  'fieldset',
  'details',
  'hr',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
]);
const lineElements: ReadonlySet<string> = new Set([
  'br',
  'div',
  'li',
  'tr',
  'dt',
  'dd',
  'caption',
  'figcaption',
  'summary',
  'legend',
  'address',
  'body',
]);
const cellElements: ReadonlySet<string> = new Set(['td', 'th']);

/**
 * Reduces HTML to its text, with headings and list items as in Markdown, and tabs between the cells of a row. Drops scripts,
 * styles, comments and attributes. Builds no tree, so that the time is linear in the length.
 */
export function reduceHtml(html: string): ReducedHtml {
  const builder = createTextBuilder();
  const titles: string[] = [];
  let name = '';
  let isInTitle = false;
  let hasTitle = false;
  const skipped = createSkipping();

  const open = (isSelfClosing: boolean): void => {
    if (skipped.open(name, isSelfClosing)) return;
    if (name === 'title') isInTitle = true;
    else openElement(builder, name);
  };
  const close = (closed: string): void => {
    if (skipped.close(closed)) return;
    if (closed === 'title') {
      hasTitle ||= isInTitle;
      isInTitle = false;
    } else closeElement(builder, closed);
  };
  const write = (text: string): void => {
    if (skipped.isSkipping()) return;
    if (!isInTitle) builder.write(text);
    else if (!hasTitle) titles.push(text);
  };
  const nothing = () => undefined;
  const tokenizer = new Tokenizer(
    { decodeEntities: true },
    {
      ontext: (start, end) => write(html.slice(start, end)),
      ontextentity: (codepoint) => write(String.fromCodePoint(codepoint)),
      onopentagname: (start, end) => {
        name = html.slice(start, end).toLowerCase();
      },
      onopentagend: () => open(false),
      onselfclosingtag: () => open(true),
      onclosetag: (start, end) => close(html.slice(start, end).toLowerCase()),
      isInForeignContext: skipped.isForeign,
      onattribdata: nothing,
      onattribentity: nothing,
      onattribend: nothing,
      onattribname: nothing,
      oncdata: nothing,
      oncomment: nothing,
      ondeclaration: nothing,
      onprocessinginstruction: nothing,
      onend: nothing,
    },
  );
  tokenizer.write(html);
  tokenizer.end();
  const title = titles.join('').replaceAll(/\s+/g, ' ').trim();
  return { title: title || null, text: builder.text() };
}

/** Tracks the outermost skipped element, with nested elements of the same name. */
function createSkipping() {
  let element: string | null = null;
  let depth = 0;
  return {
    isSkipping: () => element !== null,
    isForeign: () => element !== null && foreignElements.has(element),
    /** @returns true if the element is skipped. */
    open: (name: string, isSelfClosing: boolean): boolean => {
      const isEmpty = isSelfClosing && (foreignElements.has(name) || foreignElements.has(element ?? ''));
      if (element === null) {
        if (!skippedElements.has(name)) return false;
        if (isEmpty) return true;
        element = name;
        depth = 1;
      } else if (name === element && !isEmpty) depth += 1;
      return true;
    },
    /** @returns true if the tag is inside a skipped element, or closes it. */
    close: (name: string): boolean => {
      if (element === null) return false;
      if (name === element) depth -= 1;
      if (depth === 0) element = null;
      return true;
    },
  };
}

const headingLevelOf = (name: string): number => (/^h[1-6]$/.test(name) ? Number(name[1]) : 0);

/** Elements that only separate words inside a cell of a table. */
const flatInCells: ReadonlySet<string> = new Set(['p', 'div', 'br']);

function openElement(builder: TextBuilder, name: string): void {
  breakAround(builder, name);
  if (name === 'table') builder.openTable();
  else if (name === 'tr') builder.openRow();
  else if (cellElements.has(name)) builder.openCell();
  const level = headingLevelOf(name);
  if (level > 0) builder.prefix(`${'#'.repeat(level)} `);
  else if (name === 'li') builder.prefix('- ');
  else if (name === 'pre') builder.preserve(true);
}

function closeElement(builder: TextBuilder, name: string): void {
  if (name === 'pre') builder.preserve(false);
  if (cellElements.has(name)) builder.closeCell();
  else if (name === 'table') builder.closeTable();
  // A heading or list item without text produces no mark.
  if (headingLevelOf(name) > 0 || name === 'li') builder.prefix('');
  breakAround(builder, name);
}

function breakAround(builder: TextBuilder, name: string): void {
  if (flatInCells.has(name) && builder.isInCell()) builder.space();
  else if (paragraphElements.has(name)) builder.breakLines(2);
  else if (lineElements.has(name)) builder.breakLines(1);
}
