import { createHash } from 'node:crypto';
import path from 'node:path';
import type { Document, SourceDocument } from './types.ts';

const titleLengthMax = 400;
const frontMatter = /^---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/;
const fence = /^ {0,3}(`{3,}|~{3,})/;

/** Front matter is taken off; the title is its `title`, else the first heading of level 1, else the file's name. */
export function documentOf({ path: place, content }: SourceDocument): Document {
  const [head = '', fields = ''] = frontMatter.exec(content) ?? [];
  const text = content.slice(head.length);
  const title = titleIn(fields) ?? headingIn(text) ?? path.posix.basename(place).replace(/\.[^.]+$/, '');
  return {
    path: place,
    title: title.slice(0, titleLengthMax),
    content: text,
    hash: createHash('sha256').update(content).digest(),
    byteLength: Buffer.byteLength(content),
  };
}

function titleIn(fields: string): string | undefined {
  const [, written = ''] = /^title[ \t]*:[ \t]*(.+?)[ \t]*\r?$/m.exec(fields) ?? [];
  return written.replace(/^(['"])(.*)\1$/, '$2').trim() || undefined;
}

/** A line that begins with `#` inside a fence is code, not a heading. */
function headingIn(text: string): string | undefined {
  let open: string | undefined;
  for (const line of text.split(/\r?\n/)) {
    const [, mark] = fence.exec(line) ?? [];
    if (mark && (open === undefined || (mark[0] === open[0] && mark.length >= open.length)))
      open = open === undefined ? mark : undefined;
    else if (open === undefined) {
      const [, heading = ''] = /^ {0,3}#[ \t]+(.+?)(?:[ \t]+#+)?[ \t]*$/.exec(line) ?? [];
      if (heading) return heading;
    }
  }
  return undefined;
}
