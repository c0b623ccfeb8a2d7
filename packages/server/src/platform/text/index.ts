export { asEscapes, hidden, plainText } from './plain-text.ts';
export { findUnstorable, isStorable, toStorable } from './storable.ts';
export { hasControls, isUtf8 } from './text-bytes.ts';
