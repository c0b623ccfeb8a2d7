export { asEscapes, hidden, plainText } from './plain-text.ts';
export { findUnstorable, isStorable, toStorable } from './storable.ts';
