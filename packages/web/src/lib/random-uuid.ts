const uuidBytes = 16;
const groups = /^(.{8})(.{4})(.{4})(.{4})(.{12})$/;

/**
 * Returns a random UUID. `crypto.randomUUID` exists only over HTTPS and on localhost; random bytes exist everywhere.
 */
export function randomUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(uuidBytes));
  // Version 4, variant 1 of RFC 9562.
  const marked = bytes.map((byte, index) =>
    index === 6 ? (byte & 0x0f) | 0x40 : index === 8 ? (byte & 0x3f) | 0x80 : byte,
  );
  return Array.from(marked, (byte) => byte.toString(16).padStart(2, '0'))
    .join('')
    .replace(groups, '$1-$2-$3-$4-$5');
}
