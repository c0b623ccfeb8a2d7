import { plural } from '@svc/contract/wording';
import { ConnectorError } from '../../error.ts';
import { GrowingBuffer } from '../../growing-buffer.ts';

export type ScanOptions = {
  /** Path of the rows. */
  readonly rows: readonly string[];
  /** Paths of further values, by names that the caller chooses. */
  readonly wanted: Readonly<Record<string, readonly string[]>>;
  /** Largest size of a wanted value in bytes. Default: the limit of a member name. */
  readonly maxWantedBytes?: number;
  readonly maxRowBytes: number;
  /** An answer without the list of rows has no rows. Default: such an answer is refused. */
  readonly mayLackRows?: boolean;
};

const depthMax = 200;
const nameBytesMax = 16_384;

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);
const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const letterN = 0x6e;

const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/** Bytes of numbers and of `true`, `false`, `null`: letters, digits, `+`, `-`, `.`. */
const isOfWord = (byte: number): boolean =>
  (byte >= 0x30 && byte <= 0x39) ||
  (byte >= 0x61 && byte <= 0x7a) ||
  (byte >= 0x41 && byte <= 0x5a) ||
  byte === 0x2d ||
  byte === 0x2b ||
  byte === 0x2e;

const nothingKept = new GrowingBuffer(0);

type Frame = { readonly isList: boolean; key: string; index: number };
type Expected = 'value' | 'value-or-end' | 'key' | 'key-or-end' | 'colon' | 'comma-or-end' | 'nothing';
type Capture = {
  readonly kind: 'row' | 'wanted' | 'key';
  /** Name of the wanted value. */
  readonly name: string;
  readonly depth: number;
  readonly max: number;
};

export const noJson = (): ConnectorError =>
  new ConnectorError('statement-failed', 'The API’s response is no JSON.', { origin: 'Service' });

/**
 * Cuts the rows out of an answer while it arrives. Only rows and wanted values become text, after a check of their
 * size, and the caller parses them. In the rest the scanner reads only brackets, quotes and commas.
 */
export class JsonScanner {
  readonly #options: ScanOptions;
  readonly #wanted: readonly (readonly [name: string, parts: readonly string[]])[];
  readonly #stack: Frame[] = [];
  #expected: Expected = 'value';
  #isInText = false;
  #isEscaped = false;
  #isInWord = false;
  #isFirst = true;
  #beginning: Buffer = Buffer.alloc(0);
  #capture: Capture | undefined;
  /** Bytes of the current capture from earlier chunks. */
  #kept = nothingKept;
  #chunk: Buffer = Buffer.alloc(0);
  /** Start of the current capture in the chunk. */
  #from = 0;
  readonly #found = new Map<string, string>();
  /** Position relative to the list of rows. A number is the depth of the list while the scanner is inside it. */
  #list: 'before' | 'behind' | number = 'before';
  #rows: string[] = [];

  constructor(options: ScanOptions) {
    this.#options = options;
    this.#wanted = Object.entries(options.wanted);
  }

  /** Returns the text of a wanted value; undefined before its end or for a missing value. */
  found(name: string): string | undefined {
    return this.#found.get(name);
  }

  /** Returns the JSON texts of the rows that end in this piece. */
  push(piece: Buffer): readonly string[] {
    this.#rows = [];
    const chunk = this.#isFirst ? this.#begin(piece) : piece;
    this.#chunk = chunk;
    this.#from = 0;
    let at = 0;
    while (at < chunk.length) at = this.#isInText ? this.#readText(at) : this.#readByte(at);
    if (this.#capture) this.#keep(this.#capture, chunk.length);
    return this.#rows;
  }

  /** Removes a byte order mark, which may arrive in pieces. Returns no bytes while the mark may be incomplete. */
  #begin(piece: Buffer): Buffer {
    this.#beginning = Buffer.concat([this.#beginning, piece]);
    const mark = byteOrderMark.subarray(0, this.#beginning.length);
    const isMarked = this.#beginning.subarray(0, mark.length).equals(mark);
    if (isMarked && mark.length < byteOrderMark.length) return Buffer.alloc(0);
    this.#isFirst = false;
    return isMarked ? this.#beginning.subarray(mark.length) : this.#beginning;
  }

  /** Throws if the answer is incomplete, or has no rows at their path. */
  end(): void {
    if (this.#isInWord && this.#stack.length === 0) this.#expected = 'nothing';
    if (this.#isFirst) throw noJson();
    if (this.#expected !== 'nothing' || this.#isInText)
      throw new ConnectorError('connection-lost', 'The API’s response is incomplete.');
    if (this.#list === 'before' && !this.#options.mayLackRows)
      throw new ConnectorError(
        'statement-failed',
        `Nothing stands at ${placeOf(this.#options.rows)} of the API’s response. Check rows.`,
        { origin: 'Service' },
      );
  }

  /** @returns the index after the string, or the end of the chunk. */
  #readText(start: number): number {
    const chunk = this.#chunk;
    for (let at = start; at < chunk.length; at++) {
      const byte = chunk[at];
      if (this.#isEscaped) this.#isEscaped = false;
      else if (byte === backslash) this.#isEscaped = true;
      else if (byte === quote) {
        this.#endText(at + 1);
        return at + 1;
      }
    }
    return chunk.length;
  }

  #endText(end: number): void {
    this.#isInText = false;
    if (this.#capture?.kind === 'key') this.#cutOut(end);
    else if (this.#expected !== 'colon') this.#endValue(end);
  }

  /** @returns the index of the next byte. */
  #readByte(at: number): number {
    const byte = this.#chunk[at] ?? 0;
    if (this.#isInWord) {
      if (isOfWord(byte)) return at + 1;
      this.#isInWord = false;
      this.#endValue(at);
    }
    if (isSpace(byte)) return at + 1;
    if (byte === comma) this.#readComma();
    else if (byte === closeBracket || byte === closeBrace) this.#close(byte, at);
    else this.#readOther(byte, at);
    return at + 1;
  }

  #readOther(byte: number, at: number): void {
    switch (this.#expected) {
      case 'colon':
        if (byte !== colon) throw noJson();
        this.#expected = 'value';
        return;
      case 'key':
      case 'key-or-end':
        if (byte !== quote) throw noJson();
        this.#startName(at);
        return;
      case 'value':
      case 'value-or-end':
        this.#startValue(byte, at);
        return;
      default:
        throw noJson();
    }
  }

  #readComma(): void {
    const frame = this.#stack.at(-1);
    if (this.#expected !== 'comma-or-end' || !frame) throw noJson();
    if (frame.isList) frame.index++;
    this.#expected = frame.isList ? 'value' : 'key';
  }

  #close(byte: number, at: number): void {
    const frame = this.#stack.at(-1);
    const mayEnd = ['comma-or-end', 'value-or-end', 'key-or-end'].includes(this.#expected);
    if (!frame || frame.isList !== (byte === closeBracket) || !mayEnd) throw noJson();
    if (this.#list === this.#stack.length && !this.#capture) this.#list = 'behind';
    this.#stack.pop();
    this.#endValue(at + 1);
  }

  #startName(at: number): void {
    this.#isInText = true;
    this.#expected = 'colon';
    // Member names within a row are part of the row.
    if (!this.#capture) this.#startCapture({ kind: 'key', name: '', max: nameBytesMax }, at);
  }

  #startValue(byte: number, at: number): void {
    if (!this.#capture) this.#chooseCapture(byte, at);
    if (byte === quote) this.#isInText = true;
    else if (byte === openBracket || byte === openBrace) this.#open(byte === openBracket);
    else if (isOfWord(byte)) this.#isInWord = true;
    else throw noJson();
  }

  #open(isList: boolean): void {
    if (this.#stack.length >= depthMax)
      throw new ConnectorError(
        'statement-failed',
        `The API’s response is nested deeper than ${plural(depthMax, 'level')}.`,
        { origin: 'Service' },
      );
    this.#stack.push({ isList, key: '', index: 0 });
    this.#expected = isList ? 'value-or-end' : 'key-or-end';
  }

  /** Starts a capture for a row or a wanted value, enters the list of rows, or captures nothing. */
  #chooseCapture(byte: number, at: number): void {
    const { rows, maxRowBytes } = this.#options;
    const row = { kind: 'row', name: '', max: maxRowBytes } as const;
    if (this.#list === this.#stack.length) this.#startCapture(row, at);
    else if (this.#list === 'before' && this.#isAt(rows)) {
      this.#list = byte === openBracket ? this.#stack.length + 1 : 'behind';
      if (byte === openBrace) this.#startCapture(row, at);
      else if (byte !== openBracket && byte !== letterN)
        throw new ConnectorError(
          'statement-failed',
          `What stands at ${placeOf(rows)} of the API’s response is no list and no object. Check rows.`,
          { origin: 'Service' },
        );
    } else if (this.#list === 'behind' && this.#isAt(rows)) {
      throw new ConnectorError(
        'statement-failed',
        `The API’s response names what stands at ${placeOf(rows)} twice.`,
        { origin: 'Service' },
      );
    } else {
      this.#chooseWanted(at);
    }
  }

  #chooseWanted(at: number): void {
    const { maxWantedBytes = nameBytesMax } = this.#options;
    for (const [name, parts] of this.#wanted) {
      if (this.#found.has(name) || !this.#isAt(parts)) continue;
      this.#startCapture({ kind: 'wanted', name, max: maxWantedBytes }, at);
      return;
    }
  }

  #isAt(parts: readonly string[]): boolean {
    return (
      this.#stack.length === parts.length &&
      this.#stack.every(({ isList, key, index }, at) => (isList ? String(index) : key) === parts[at])
    );
  }

  #startCapture(capture: Omit<Capture, 'depth'>, at: number): void {
    this.#capture = { ...capture, depth: this.#stack.length };
    this.#from = at;
    this.#kept = nothingKept;
  }

  /** Stores the captured bytes of this chunk up to `end`. */
  #keep(capture: Capture, end: number): void {
    assertSize(capture, this.#kept.length + end - this.#from);
    if (this.#kept === nothingKept) this.#kept = new GrowingBuffer(capture.max);
    this.#kept.add(this.#chunk.subarray(this.#from, end));
  }

  /** Ends a value at this index. */
  #endValue(end: number): void {
    this.#expected = this.#stack.length === 0 ? 'nothing' : 'comma-or-end';
    if (this.#capture?.depth === this.#stack.length) this.#cutOut(end);
  }

  #cutOut(end: number): void {
    const capture = this.#capture;
    if (!capture) return;
    const text = this.#textOf(capture, end);
    this.#capture = undefined;
    this.#kept = nothingKept;
    const frame = this.#stack.at(-1);
    if (capture.kind === 'row') this.#rows.push(text);
    else if (capture.kind === 'wanted') this.#found.set(capture.name, text);
    else if (frame) frame.key = nameOf(text);
  }

  #textOf(capture: Capture, end: number): string {
    if (this.#kept !== nothingKept) {
      this.#keep(capture, end);
      return this.#kept.bytes().toString();
    }
    assertSize(capture, end - this.#from);
    return this.#chunk.toString('utf8', this.#from, end);
  }
}

function assertSize({ kind, max }: Capture, bytes: number): void {
  if (bytes <= max) return;
  if (kind === 'row')
    throw new ConnectorError('value-too-large', `A row of the result has more than ${plural(max, 'byte')}.`);
  throw new ConnectorError(
    'statement-failed',
    `The API’s response holds a name or a link of more than ${plural(max, 'byte')}.`,
    { origin: 'Service' },
  );
}

const placeOf = (parts: readonly string[]): string =>
  parts.length === 0
    ? 'the top'
    : parts
        .map((part) => `/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`)
        .join('')
        .slice(0, 200);

function nameOf(text: string): string {
  try {
    return String(JSON.parse(text));
  } catch {
    throw noJson();
  }
}
