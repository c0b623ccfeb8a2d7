import { setImmediate } from 'node:timers/promises';

/** Bytes checked before the event loop runs other work. */
const bytesPerTurn = 4 * 1024 * 1024;
/** Engines refuse deeper JSON as well. */
const depthMax = 500;

const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const lineFeed = 0x0a;
const letterU = 0x75;
const spaces: ReadonlySet<number> = new Set([0x20, 0x09, lineFeed, 0x0d]);
const escapes: ReadonlySet<number> = new Set([...'"\\/bfnrt'].map((letter) => letter.charCodeAt(0)));
const scalar = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/;
const hexDigits = /^[0-9a-fA-F]{4}$/;

type Expected = 'value' | 'value-or-end' | 'key' | 'key-or-end' | 'colon' | 'comma-or-end' | 'nothing';

/**
 * Returns the reason why bytes are not JSON; undefined for valid bytes. Accepts one value, or several values that each
 * start on a new line. Checks the grammar only: no second copy of the data is in memory.
 */
export async function jsonError(bytes: Buffer): Promise<string | undefined> {
  const checker = new JsonChecker(bytes);
  while (!checker.run(bytesPerTurn)) await setImmediate();
  return checker.fault();
}

class JsonChecker {
  readonly #bytes: Buffer;
  readonly #open: number[] = [];
  #expected: Expected = 'value';
  #at = 0;
  #faultAt: number | undefined;
  #isNewLine = false;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** @returns true when the check has finished. */
  run(bytesMax: number): boolean {
    const end = Math.min(this.#at + bytesMax, this.#bytes.length);
    while (this.#at < end && this.#faultAt === undefined) this.#take();
    return this.#faultAt !== undefined || this.#at >= this.#bytes.length;
  }

  fault(): string | undefined {
    if (this.#faultAt !== undefined)
      return `It is no JSON: line ${this.#lineOf(this.#faultAt)} breaks its grammar.`;
    return this.#expected === 'nothing' ? undefined : 'It is no JSON: it ends too early.';
  }

  #lineOf(at: number): number {
    let line = 1;
    for (let seen = 0; seen < at; seen += 1) if (this.#bytes[seen] === lineFeed) line += 1;
    return line;
  }

  #take(): void {
    const byte = this.#bytes[this.#at] ?? 0;
    if (spaces.has(byte)) {
      this.#isNewLine ||= byte === lineFeed;
      this.#at += 1;
      return;
    }
    const isTaken = this.#takeSign(byte);
    if (!isTaken) this.#faultAt = this.#at;
    this.#isNewLine = false;
  }

  #takeSign(byte: number): boolean {
    if (byte === closeBrace || byte === closeBracket) return this.#close(byte);
    switch (this.#expected) {
      case 'colon':
        return byte === colon && this.#move('value');
      case 'comma-or-end':
        return byte === comma && this.#move(this.#open.at(-1) === openBrace ? 'key' : 'value');
      case 'key':
      case 'key-or-end':
        return byte === quote && this.#takeText() && this.#expect('colon');
      case 'nothing':
        return this.#isNewLine && this.#takeValue(byte);
      case 'value':
      case 'value-or-end':
        return this.#takeValue(byte);
    }
  }

  #takeValue(byte: number): boolean {
    if (byte === openBrace || byte === openBracket) {
      if (this.#open.length >= depthMax) return false;
      this.#open.push(byte);
      return this.#move(byte === openBrace ? 'key-or-end' : 'value-or-end');
    }
    const isTaken = byte === quote ? this.#takeText() : this.#takeScalar();
    return isTaken && this.#endValue();
  }

  #close(byte: number): boolean {
    const opening = byte === closeBrace ? openBrace : openBracket;
    const isEnd = this.#expected === 'comma-or-end' || this.#expected.endsWith('-or-end');
    if (!isEnd || this.#open.pop() !== opening) return false;
    this.#at += 1;
    return this.#endValue();
  }

  #takeText(): boolean {
    const { length } = this.#bytes;
    for (let at = this.#at + 1; at < length; at += 1) {
      const byte = this.#bytes[at] ?? 0;
      if (byte === quote) {
        this.#at = at + 1;
        return true;
      }
      if (byte < 0x20) return false;
      if (byte !== backslash) continue;
      at += 1;
      const escaped = this.#bytes[at] ?? 0;
      if (escaped === letterU) {
        if (!hexDigits.test(this.#bytes.toString('latin1', at + 1, at + 5))) return false;
        at += 4;
      } else if (!escapes.has(escaped)) return false;
    }
    return false;
  }

  #takeScalar(): boolean {
    let end = this.#at;
    for (; end < this.#bytes.length; end += 1) {
      const byte = this.#bytes[end] ?? 0;
      if (spaces.has(byte) || byte === comma || byte === closeBrace || byte === closeBracket) break;
    }
    if (!scalar.test(this.#bytes.toString('latin1', this.#at, end))) return false;
    this.#at = end;
    return true;
  }

  #endValue(): boolean {
    return this.#expect(this.#open.length === 0 ? 'nothing' : 'comma-or-end');
  }

  #move(expected: Expected): boolean {
    this.#at += 1;
    return this.#expect(expected);
  }

  #expect(expected: Expected): boolean {
    this.#expected = expected;
    return true;
  }
}
