import { createHash } from 'node:crypto';
import path from 'node:path';
import type { Document, SourceDocument } from '../types.ts';

export const titleLengthMax = 400;
const frontMatter = /^---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/;
const fence = /^ {0,3}(`{3,}|~{3,})/;

/**
 * Parses a text document and removes its front matter. The title is the `title` of the front matter, else the first heading
 * of level 1, else the file name.
 */
export function documentOf({ path: place, content }: SourceDocument): Document {
  const [head = '', fields = ''] = frontMatter.exec(content) ?? [];
  const text = content.slice(head.length);
  const title = titleIn(fields) ?? titleOfText(text, place);
  return {
    path: place,
    title: title.slice(0, titleLengthMax).toWellFormed(),
    content: text,
    hash: createHash('sha256').update(content).digest(),
    byteLength: Buffer.byteLength(content),
  };
}

/** Returns the first heading of level 1, else the file name without its ending. */
export const titleOfText = (text: string, place: string): string =>
  headingIn(text) ?? path.posix.basename(place).replace(/\.[^.]+$/, '');

const titleField = /^title[ \t]*:/;

function titleIn(fields: string): string | undefined {
  const line = fields.split(/\r?\n/).find((one) => titleField.test(one));
  const written = line?.slice(line.indexOf(':') + 1).trim() ?? '';
  const quote = written.charAt(0);
  const isQuoted = written.length > 1 && /['"]/.test(quote) && written.endsWith(quote);
  return (isQuoted ? written.slice(1, -1) : written).trim() || undefined;
}

/** Returns the first heading of level 1 outside of code fences. */
function headingIn(text: string): string | undefined {
  let open: string | undefined;
  for (const line of text.split(/\r?\n/)) {
    const [, mark] = fence.exec(line) ?? [];
    if (mark && (open === undefined || (mark[0] === open[0] && mark.length >= open.length)))
      open = open === undefined ? mark : undefined;
    else if (open === undefined) {
      const heading = headingOf(line);
      if (heading) return heading;
    }
  }
  return undefined;
}

const headingStart = /^ {0,3}#[ \t]+/;

/**
 * Returns the text of a heading of level 1 without its optional closing `#`. Scans from both ends, so that the time is
 * linear in the length of the line.
 */
function headingOf(line: string): string | undefined {
  const [mark] = headingStart.exec(line) ?? [];
  if (mark === undefined) return undefined;
  const text = line.slice(mark.length).trimEnd();
  let end = text.length;
  while (text.charAt(end - 1) === '#') end -= 1;
  const isClosed = end < text.length && (end === 0 || /[ \t]/.test(text.charAt(end - 1)));
  return (isClosed ? text.slice(0, end) : text).trim();
}
