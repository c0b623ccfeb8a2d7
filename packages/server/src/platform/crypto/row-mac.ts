import { hash, type KeyObject } from 'node:crypto';

const blockBytes = 64;
const digestBytes = 32;
const innerPad = 0x36;
const outerPad = 0x5c;
const firstBytes = 4_096;

/** Type tags. They distinguish a text, a number and a boolean with the same spelling, and NULL from all of them. */
const tags = { null: 0, string: 1, number: 2, boolean: 3 } as const;

/**
 * HMAC-SHA-256 over cells, optimised for millions of calls: one reused buffer and two one-shot digests. The result
 * equals `createHmac` over the same bytes.
 */
export type RowMac = {
  /** Begins a message. The label separates codes of different uses. */
  readonly begin: (label: string) => void;
  /** Adds a value: its type, length and text. */
  readonly add: (value: string | number | boolean | null) => void;
  /** Ends the message. @returns the first bytes of the code, in a new buffer. */
  readonly end: (byteCount: number) => Buffer;
  /** Ends the message and writes the first bytes of the code into the target. */
  readonly endInto: (target: Buffer, offset: number, byteCount: number) => void;
};

/** @param domain  Domain of the codes. The same cells have other codes in another domain. */
export function createRowMac(key: KeyObject, domain: number): RowMac {
  const exported = key.export();
  const secret = exported.byteLength > blockBytes ? hash('sha256', exported, 'buffer') : exported;
  let message = Buffer.alloc(firstBytes);
  const outer = Buffer.alloc(blockBytes + digestBytes, outerPad);
  const digest = Buffer.alloc(digestBytes);
  message.fill(innerPad, 0, blockBytes);
  for (const [at, byte] of secret.entries()) {
    message[at] = innerPad ^ byte;
    outer[at] = outerPad ^ byte;
  }
  let length = blockBytes;

  const reserve = (byteCount: number): void => {
    if (length + byteCount <= message.length) return;
    const grown = Buffer.alloc(Math.max(message.length * 2, length + byteCount));
    message.copy(grown, 0, 0, length);
    message = grown;
  };
  const put = (tag: number, text: string): void => {
    // A UTF-16 code unit takes at most three bytes of UTF-8.
    reserve(5 + text.length * 3);
    const written = writeShort(message, text, length + 5) || message.write(text, length + 5, 'utf8');
    message[length] = tag;
    message[length + 1] = written >>> 24;
    message[length + 2] = written >>> 16;
    message[length + 3] = written >>> 8;
    message[length + 4] = written;
    length += 5 + written;
  };
  /** Label in the buffer. `begunLength` is its end. */
  let begun: string | undefined;
  let begunLength = 0;

  /** Returns the digest in a reused buffer. A digest as text costs a fifth of a digest in a new buffer. */
  const code = (): Buffer => {
    outer.write(hash('sha256', message.subarray(0, length), 'binary'), blockBytes, 'latin1');
    digest.write(hash('sha256', outer, 'binary'), 'latin1');
    return digest;
  };

  return {
    begin: (label) => {
      if (label !== begun) {
        length = blockBytes;
        put(tags.number, String(domain));
        put(tags.string, label);
        begun = label;
        begunLength = length;
      }
      length = begunLength;
    },
    add: (value) => {
      if (value === null) put(tags.null, '');
      else put(tags[typeof value as 'string' | 'number' | 'boolean'], String(value));
    },
    end: (byteCount) => Buffer.from(code().subarray(0, byteCount)),
    endInto: (target, offset, byteCount) => void code().copy(target, offset, 0, byteCount),
  };
}

/** Maximum length of an ASCII text that a loop writes. For short texts the loop is faster than the library call. */
const shortMax = 32;

/** @returns the number of written bytes; 0 if the text is not short ASCII. */
function writeShort(into: Buffer, text: string, offset: number): number {
  if (text.length > shortMax) return 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code > 0x7f) return 0;
    into[offset + at] = code;
  }
  return text.length;
}
