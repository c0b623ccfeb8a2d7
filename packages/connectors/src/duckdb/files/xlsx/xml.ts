import { type SaxesAttributeNS, SaxesParser } from 'saxes';

/**
 * Elements that a part is read for, by their local names, with the elements in them. Other elements and their
 * content are ignored. Text counts only in elements without elements.
 */
export type Elements = { readonly [name: string]: Elements };

/** Attributes by their names in the text, with prefixes. */
export type Attributes = Readonly<Record<string, SaxesAttributeNS>>;

/** Receives the elements of a part in the order of the text. */
export type Visitor = {
  readonly open?: (name: string, attributes: Attributes) => void;
  readonly close?: (name: string, text: string) => void;
};

/** XML that is not well-formed, or has a form that no spreadsheet program writes. */
export class UnsoundXml extends Error {
  override readonly name = 'UnsoundXml';
}

/** Longest tag, text, comment and declaration, in bytes and in characters. A cell has at most 32,767 characters. */
const lengthMax = 1_048_576;
const depthMax = 100;
const supportedEncoding = /^(utf-8|us-ascii)$/i;

const refuse = (reason: string): never => {
  throw new UnsoundXml(reason);
};

const childOf = (parent: Elements | undefined, name: string): Elements | undefined =>
  parent && Object.hasOwn(parent, name) ? parent[name] : undefined;

const isEmpty = (elements: Elements): boolean => Object.keys(elements).length === 0;

/**
 * Reads the XML of a part with a strict parser. The elements must have the namespace of the root element.
 *
 * @param elements  the root element, with the elements in it
 * @throws UnsoundXml for ill-formed XML, another root element, a document type, an encoding other than UTF-8, a tag or a
 *   text of more than 1 MB, and more than 100 levels of elements
 */
export async function readXml(
  chunks: AsyncIterable<Buffer>,
  elements: Elements,
  visitor: Visitor,
): Promise<void> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const parser = new SaxesParser({
    xmlns: true,
    position: false,
    defaultXMLVersion: '1.0',
    forceXMLVersion: true,
  });
  const counter = followElements(parser, elements, visitor);
  for await (const chunk of chunks) {
    counter.bytes += chunk.length;
    parser.write(decoder.decode(chunk, { stream: true }));
    if (counter.bytes > lengthMax) refuse('too long');
  }
  parser.write(decoder.decode()).close();
}

/** Calls the visitor for the elements that the parser reads. The result counts the bytes since the last tag. */
function followElements(
  parser: SaxesParser<{ xmlns: true }>,
  elements: Elements,
  visitor: Visitor,
): { bytes: number } {
  const counter = { bytes: 0 };
  /** Open elements. Undefined: an ignored element. */
  const path: (Elements | undefined)[] = [];
  let namespace: string | undefined;
  let text = '';
  const addText = (piece: string) => {
    const element = path.at(-1);
    if (!element || !isEmpty(element)) return;
    text += piece;
    if (text.length > lengthMax) refuse('too long');
  };
  parser.on('error', (error) => refuse(error.message));
  parser.on('doctype', () => refuse('document type'));
  parser.on('xmldecl', ({ encoding = 'utf-8' }) => {
    if (!supportedEncoding.test(encoding)) refuse('encoding');
  });
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('opentag', ({ local, uri, attributes }) => {
    counter.bytes = 0;
    namespace ??= uri;
    const element =
      uri === namespace ? childOf(path.length === 0 ? elements : path.at(-1), local) : undefined;
    if (path.length === depthMax || (path.length === 0 && !element)) refuse('another form');
    path.push(element);
    if (!element) return;
    text = '';
    visitor.open?.(local, attributes);
  });
  parser.on('closetag', ({ local }) => {
    counter.bytes = 0;
    if (path.pop()) visitor.close?.(local, text);
  });
  return counter;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
};

/** Returns the XML of a text, in an element or between double quotes. */
export const escapeXml = (text: string): string =>
  text.replaceAll(/[&<>"\r]/g, (character) => entities[character] ?? character);

/** Returns the XML of a text that consists of runs. The runs are decoded separately. */
export const runsXml = (texts: readonly string[]): string => {
  const runs = texts.map((text) => `<t>${escapeXml(text)}</t>`);
  return runs.length > 1 ? runs.map((run) => `<r>${run}</r>`).join('') : runs.join('');
};
