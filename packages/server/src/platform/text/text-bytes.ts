export { isUtf8 } from 'node:buffer';

const controlMax = 0x1f;
/** Tab, line feed, form feed and carriage return. */
const textControls: ReadonlySet<number> = new Set([0x09, 0x0a, 0x0c, 0x0d]);

/** Returns true for bytes of control characters that text does not have, in any encoding that contains ASCII. */
export const hasControls = (bytes: Buffer): boolean =>
  bytes.some((byte) => byte <= controlMax && !textControls.has(byte));
