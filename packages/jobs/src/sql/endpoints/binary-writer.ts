import { uuidBytes } from '../../db/uuid.ts';

/** Header of every binary `COPY`: signature, flags and extension length. */
export const copyHeader = Buffer.concat([Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), Buffer.alloc(8)]);
/** Trailer of every binary `COPY`: a row of -1 columns. */
export const copyTrailer = Buffer.from([0xff, 0xff]);
export const columnCountBytes = 2;
export const lengthBytes = 4;
/** Length field of a null value. */
export const absent = -1;
const jsonbVersion = 1;
const utf8BytesPerUnitMax = 3;

/** Maximum length of texts that are written character by character. A native write costs about that many characters. */
const singlyWrittenMax = 24;
const asciiMax = 0x7f;

/** Writes rows in the binary format of `COPY`. */
export class BinaryWriter {
  /** Written bytes, up to `at`. Replaced by a larger buffer when it is full. */
  bytes: Buffer;
  at = 0;
  /** View of the same memory, for numbers. */
  view: DataView;

  constructor(size: number) {
    this.bytes = Buffer.allocUnsafe(size);
    this.view = viewOf(this.bytes);
  }

  reserve(size: number): void {
    if (this.at + size <= this.bytes.length) return;
    const grown = Buffer.allocUnsafe(Math.max(this.bytes.length * 2, this.at + size));
    this.bytes.copy(grown, 0, 0, this.at);
    this.bytes = grown;
    this.view = viewOf(grown);
  }

  int32(value: number): void {
    this.view.setInt32(this.at, value);
    this.at += 4;
  }

  /** Copies bytes that are common to several rows. */
  bytesOf(bytes: Buffer): void {
    this.reserve(bytes.length);
    this.bytes.set(bytes, this.at);
    this.at += bytes.length;
  }

  uuid(value: string | null): void {
    this.reserve(lengthBytes + uuidBytes);
    if (value === null) {
      this.int32(absent);
      return;
    }
    this.int32(uuidBytes);
    this.at += this.bytes.write(value.replaceAll('-', ''), this.at, 'hex');
  }

  /** Writes `count` null columns. */
  nothing(count: number): void {
    this.reserve(count * lengthBytes);
    for (let left = count; left > 0; left -= 1) this.int32(absent);
  }

  text(value: string | null): void {
    if (value === null) {
      this.reserve(lengthBytes);
      this.int32(absent);
      return;
    }
    this.reserve(lengthBytes + value.length * utf8BytesPerUnitMax);
    if (value.length <= singlyWrittenMax && this.#asciiText(value)) return;
    const size = this.bytes.write(value, this.at + lengthBytes);
    this.int32(size);
    this.at += size;
  }

  /** Writes a short text character by character. Returns false at the first character outside ASCII. */
  #asciiText(value: string): boolean {
    const { bytes } = this;
    const start = this.at + lengthBytes;
    for (let at = 0; at < value.length; at += 1) {
      const unit = value.charCodeAt(at);
      if (unit > asciiMax) return false;
      bytes[start + at] = unit;
    }
    this.int32(value.length);
    this.at += value.length;
    return true;
  }

  jsonb(value: Readonly<Record<string, string>> | null): void {
    if (value === null) {
      this.text(null);
      return;
    }
    const text = JSON.stringify(value);
    this.reserve(lengthBytes + 1 + text.length * utf8BytesPerUnitMax);
    const size = 1 + this.bytes.write(text, this.at + lengthBytes + 1);
    this.int32(size);
    this.bytes[this.at] = jsonbVersion;
    this.at += size;
  }
}

const viewOf = (bytes: Buffer): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
