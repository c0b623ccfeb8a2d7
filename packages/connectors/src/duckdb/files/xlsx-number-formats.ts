import { crc32 } from 'node:zlib';

const numberFormat = /(<(?:\w+:)?numFmt\b[^<>]*?\bformatCode=)(?:"([^"]*)"|'([^']*)')/g;
/** Built-in format 46 of times that may exceed a day, `[h]:mm:ss`. */
const elapsedFormatId = /(<(?:\w+:)?xf\b[^<>]*?\bnumFmtId=)["']46["']/g;
/** Currencies and languages, such as `[$€-407]`. */
const localeGroup = /\[\$[^[\]]*\]/g;
const quotedOrEscaped = /&quot;.*?&quot;|"[^"]*"|\\./g;
const plainNumber = '0';

/**
 * Returns the styles of a workbook without names of currencies and languages: the reader would detect a date from their
 * letters, unlike a spreadsheet program. Times that may exceed a day become numbers of days, the stored values. As dates,
 * 1,500 hours would be a day in March 1900.
 */
export function withSoundFormats(styles: string): string {
  return styles
    .replace(numberFormat, (_all, head: string, double: string | undefined, single: string | undefined) => {
      const mark = double === undefined ? "'" : '"';
      return `${head}${mark}${soundFormat(double ?? single ?? '')}${mark}`;
    })
    .replace(elapsedFormatId, '$1"1"');
}

const soundFormat = (code: string): string =>
  /\[(h+|m+|s+)\]/i.test(code.replace(quotedOrEscaped, '')) ? plainNumber : code.replace(localeGroup, '');

const localSignature = 0x04034b50;
const utf8Flag = 0x800;
/** Bytes of the fixed part of each record of a ZIP archive. */
const localHead = 30;
const centralHead = 46;
const endHead = 22;

/**
 * Returns a ZIP archive in which one entry has new, uncompressed content. The archive must have one directory, at its end,
 * without a comment.
 */
export function withEntry(archive: Buffer, name: string, content: Buffer): Buffer {
  const endAt = archive.length - endHead;
  const directoryAt = archive.readUInt32LE(endAt + 16);
  const directory = Buffer.from(archive.subarray(directoryAt, endAt));
  const crc = crc32(content);
  for (let at = 0; at + centralHead <= directory.length; ) {
    const nameBytes = directory.readUInt16LE(at + 28);
    const found = directory.subarray(at + centralHead, at + centralHead + nameBytes).toString();
    if (found === name) {
      directory.writeUInt16LE(utf8Flag, at + 8);
      directory.writeUInt16LE(0, at + 10);
      directory.writeUInt32LE(crc, at + 16);
      directory.writeUInt32LE(content.length, at + 20);
      directory.writeUInt32LE(content.length, at + 24);
      directory.writeUInt32LE(directoryAt, at + 42);
    }
    at += centralHead + nameBytes + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
  }
  const local = Buffer.alloc(localHead + Buffer.byteLength(name));
  local.writeUInt32LE(localSignature, 0);
  local.writeUInt16LE(20, 4);
  local.writeUInt16LE(utf8Flag, 6);
  local.writeUInt32LE(crc, 14);
  local.writeUInt32LE(content.length, 18);
  local.writeUInt32LE(content.length, 22);
  local.writeUInt16LE(Buffer.byteLength(name), 26);
  local.write(name, localHead);
  const end = Buffer.from(archive.subarray(endAt));
  end.writeUInt32LE(directoryAt + local.length + content.length, 16);
  return Buffer.concat([archive.subarray(0, directoryAt), local, content, directory, end]);
}
