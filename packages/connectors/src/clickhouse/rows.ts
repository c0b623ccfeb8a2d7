import { plural } from '@svc/contract/wording';
import { ConnectorError } from '../error.ts';
import type { ExecuteOptions } from '../port.ts';
import type { Cell } from '../values.ts';
import type { CellForm, CellReader } from './types.ts';

export type LineLimits = Pick<ExecuteOptions, 'maxBytes' | 'maxCellBytes'>;

/** A row may have this many times the bytes of one value. */
const rowCells = 4;
const lineFeed = 10;
/** Bytes that are decoded as text in one step. It bounds the memory of a result to a small multiple. */
const pieceBytes = 16_384;

/** Complete lines of a body. `rest` is the text after the last line feed; it is set at the end of the body. */
export type Lines = { readonly lines: readonly string[]; readonly rest?: string };

/** Splits a body into lines while it arrives. Bounds are checked before bytes are decoded as text. */
export async function* readLines(
  body: AsyncIterable<Buffer>,
  { maxBytes, maxCellBytes }: LineLimits,
): AsyncGenerator<Lines, void, undefined> {
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  let allBytes = 0;
  for await (const chunk of body) {
    allBytes += chunk.length;
    if (allBytes > maxBytes)
      throw new ConnectorError('too-many-bytes', `The result has more than ${plural(maxBytes, 'byte')}.`);
    const first = chunk.indexOf(lineFeed);
    const lineBytes = pendingBytes + (first === -1 ? chunk.length : first);
    if (lineBytes > rowCells * maxCellBytes)
      throw new ConnectorError(
        'value-too-large',
        `A row of the result has more than ${plural(rowCells * maxCellBytes, 'byte')}.`,
      );
    let start = 0;
    for (let end = first; end !== -1; end = lastLineEnd(chunk, start)) {
      yield { lines: linesOf([...pending, chunk.subarray(start, end)]) };
      pending = [];
      start = end + 1;
    }
    pending.push(chunk.subarray(start));
    pendingBytes = start === 0 ? pendingBytes + chunk.length : chunk.length - start;
  }
  yield { lines: [], rest: Buffer.concat(pending).toString() };
}

/** Returns the end of the last line within a piece, or of a line that is longer than a piece; -1 without a line end. */
function lastLineEnd(chunk: Buffer, start: number): number {
  const within = chunk.subarray(start, start + pieceBytes).lastIndexOf(lineFeed);
  return within === -1 ? chunk.indexOf(lineFeed, start) : start + within;
}

const linesOf = (pieces: readonly Buffer[]): readonly string[] =>
  Buffer.concat(pieces).toString().split('\n');

const quote = 34;
const comma = 44;
const openBracket = 91;
const backslash = 92;
const closeBracket = 93;
const openBrace = 123;
const closeBrace = 125;
const space = 32;

/** Target of a row: the columns, preallocated for all rows of a batch, and the row's index in them. */
export type RowPlace = { readonly columns: readonly Cell[][]; readonly row: number };

/**
 * Reads a line of `JSONCompactEachRow` into the columns. Values are cut out and not parsed, so that no number passes
 * through a float. The function runs for each row and allocates only the cells.
 *
 * @returns false for a line that is not a row of these columns; the columns are then invalid.
 */
export function readRow(line: string, readers: readonly CellReader[], { columns, row }: RowPlace): boolean {
  if (line.charCodeAt(0) !== openBracket) return false;
  const hasEscapes = line.includes('\\');
  let at = 1;
  for (let index = 0; index < readers.length; index++) {
    const reader = readers[index];
    const column = columns[index];
    if (!reader || !column) return false;
    while (line.charCodeAt(at) === space) at++;
    const form = formOf(line.charCodeAt(at));
    const end = endOfValue(line, at, form, hasEscapes);
    if (end === -1) return false;
    const cell = readCell(textOf({ line, at, end, form, hasEscapes }), form, reader);
    if (cell === undefined) return false;
    column[row] = cell;
    const isLast = index === readers.length - 1;
    if (line.charCodeAt(end) !== (isLast ? closeBracket : comma)) return false;
    at = end + 1;
  }
  return at === line.length;
}

function formOf(first: number): CellForm {
  if (first === quote) return 'text';
  return first === openBracket || first === openBrace ? 'nested' : 'bare';
}

function endOfValue(line: string, start: number, form: CellForm, hasEscapes: boolean): number {
  if (form === 'text') return endOfText(line, start, hasEscapes);
  if (form === 'nested') return endOfNested(line, start, hasEscapes);
  let at = start;
  while (at < line.length && line.charCodeAt(at) !== comma && line.charCodeAt(at) !== closeBracket) at++;
  return at === start ? -1 : at;
}

/** Returns the index after the closing quote; -1 without one. */
function endOfText(line: string, start: number, hasEscapes: boolean): number {
  if (!hasEscapes) return line.indexOf('"', start + 1) + 1 || -1;
  for (let at = start + 1; at < line.length; at++) {
    const code = line.charCodeAt(at);
    if (code === backslash) at++;
    else if (code === quote) return at + 1;
  }
  return -1;
}

function endOfNested(line: string, start: number, hasEscapes: boolean): number {
  let depth = 0;
  for (let at = start; at < line.length; at++) {
    const code = line.charCodeAt(at);
    if (code === quote) {
      at = endOfText(line, at, hasEscapes) - 1;
      if (at < 0) return -1;
    } else if (code === openBracket || code === openBrace) depth++;
    else if (code === closeBracket || code === closeBrace) {
      depth--;
      if (depth === 0) return at + 1;
    }
  }
  return -1;
}

type Place = {
  readonly line: string;
  readonly at: number;
  readonly end: number;
  readonly form: CellForm;
  readonly hasEscapes: boolean;
};

/** Returns the text of a value without its quotes. */
function textOf({ line, at, end, form, hasEscapes }: Place): string | undefined {
  if (form !== 'text') return line.slice(at, end);
  return hasEscapes ? unescaped(line.slice(at, end)) : line.slice(at + 1, end - 1);
}

function readCell(text: string | undefined, form: CellForm, reader: CellReader): Cell | undefined {
  if (text === undefined) return undefined;
  return form === 'bare' && text === 'null' ? null : reader(text, form);
}

function unescaped(literal: string): string | undefined {
  if (!literal.includes('\\')) return literal.slice(1, -1);
  try {
    const text: unknown = JSON.parse(literal);
    return typeof text === 'string' ? text : undefined;
  } catch {
    return undefined;
  }
}

/** Reads a line of texts: the names or the types of the columns. */
export function readTexts(line: string | undefined): string[] | undefined {
  if (line === undefined) return undefined;
  try {
    const texts: unknown = JSON.parse(line);
    return Array.isArray(texts) && texts.every((text) => typeof text === 'string') ? texts : undefined;
  } catch {
    return undefined;
  }
}
