/** Messages of the extended protocol (PostgreSQL, "Message Formats"), as the bytes that are sent. */

const lengthBytes = 4;

/** Type, length and body. The length counts itself. */
function message(type: string, ...body: readonly Buffer[]): Buffer {
  let bytes = lengthBytes;
  for (const field of body) bytes += field.length;
  const head = Buffer.alloc(1 + lengthBytes, type, 'latin1');
  head.writeUInt32BE(bytes, 1);
  return Buffer.concat([head, ...body], 1 + bytes);
}

/** @throws RangeError for a NUL, which would end the text and begin a message of somebody else's. */
function endedText(text: string): Buffer {
  if (text.includes('\0')) throw new RangeError('A text of a message holds a NUL character.');
  return Buffer.from(`${text}\0`);
}

const unnamed = endedText('');
const noTypes = Buffer.alloc(2);
const allAsText = Buffer.alloc(2);

function int32(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(4);
  bytes.writeInt32BE(value);
  return bytes;
}

function int16(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(2);
  bytes.writeUInt16BE(value);
  return bytes;
}

/** Parses a text as the unnamed statement; the server finds the types of its parameters. */
export const parseMessage = (text: string): Buffer => message('P', unnamed, endedText(text), noTypes);

const nullLength = int32(-1);

/** Binds values, all of them as texts, to the unnamed statement. */
export function bindMessage(portal: string, values: readonly (string | null)[]): Buffer {
  const bound = values.flatMap((value) => {
    if (value === null) return [nullLength];
    const bytes = Buffer.from(value);
    return [int32(bytes.length), bytes];
  });
  return message('B', endedText(portal), unnamed, allAsText, int16(values.length), ...bound, allAsText);
}

/** Asks for the columns of a portal (P) or a statement (S). */
export const describeMessage = (kind: 'P' | 'S', name: string): Buffer =>
  message('D', Buffer.from(kind), endedText(name));

/** Runs a portal, for so many rows; 0: all. */
export const executeMessage = (portal: string, rowCount: number): Buffer =>
  message('E', endedText(portal), int32(rowCount));

export const syncMessage = message('S');
