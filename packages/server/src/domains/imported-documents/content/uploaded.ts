import { createHash } from 'node:crypto';
import { hasControls, isUtf8 } from '../../../platform/text/index.ts';
import { type Document, documentBytesMax } from '../types.ts';
import { reduceHtml } from './html-text.ts';
import { documentOf, titleLengthMax, titleOfText } from './text.ts';

/** Formats that consist of text characters but are not readable text. */
const otherFormats: readonly (readonly [RegExp, string])[] = [
  [/^%PDF-/, 'It is a PDF.'],
  [/^\{\\rtf/, 'It is RTF.'],
  [/^%!PS/, 'It is PostScript.'],
];
const xmlDeclaration = /^<\?xml[\s?]/i;
/** The first element of an HTML document. */
const htmlStart = /^<(?:!doctype\s+html|html|head|body|title|meta|link|script|style|base)[\s/>]/i;
const htmlName = /\.html?$/i;
const anyTag = /<[a-z/!]/i;

/** A document to store, or the reason for a refusal. */
export type ParsedUpload = { readonly document: Document } | { readonly refusal: string };

/**
 * Parses uploaded bytes by their content. Removes the front matter of Markdown and text, and reduces HTML to its text. The
 * name matters only for an HTML fragment, because Markdown may contain tags, too.
 */
export function parseUpload(name: string, bytes: Buffer): ParsedUpload {
  if (bytes.length === 0) return { refusal: 'The file is empty.' };
  if (bytes.length > documentBytesMax) throw new Error('The route admits no more bytes than a document has.');
  const content = textOf(bytes);
  if (content === undefined) return { refusal: 'It is not text in UTF-8.' };
  const start = startOf(content);
  const other = otherFormats.find(([mark]) => mark.test(start));
  if (other) return { refusal: other[1] };
  const kind = isHtml(name, content, start) ? 'Html' : 'Text';
  if (kind === 'Text' && xmlDeclaration.test(start)) return { refusal: 'It is XML and not HTML.' };
  const document = kind === 'Html' ? htmlDocument(name, content) : documentOf({ path: name, content });
  if (document.content.trim() === '') return { refusal: 'It has no text.' };
  // Size and hash describe the uploaded file, not the reduced text.
  return { document: { ...document, byteLength: bytes.length, hash: sha256(bytes) } };
}

const sha256 = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest();

const textOf = (bytes: Buffer): string | undefined =>
  isUtf8(bytes) && !hasControls(bytes) ? new TextDecoder().decode(bytes) : undefined;

/** Returns the content from its first character outside of white space and HTML comments. */
function startOf(content: string): string {
  let at = 0;
  for (;;) {
    while (/\s/.test(content.charAt(at))) at += 1;
    if (!content.startsWith('<!--', at)) return content.slice(at);
    const end = content.indexOf('-->', at);
    if (end < 0) return '';
    at = end + '-->'.length;
  }
}

function isHtml(name: string, content: string, start: string): boolean {
  const root = xmlDeclaration.test(start) ? startOf(start.slice(start.indexOf('>') + 1)) : start;
  return htmlStart.test(root) || (htmlName.test(name) && anyTag.test(content));
}

function htmlDocument(name: string, content: string): Document {
  const { title, text } = reduceHtml(content);
  return {
    path: name,
    title: (title ?? titleOfText(text, name)).slice(0, titleLengthMax).toWellFormed(),
    content: text,
    hash: sha256(Buffer.from(content)),
    byteLength: Buffer.byteLength(content),
  };
}
