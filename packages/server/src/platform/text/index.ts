export { findUnstorable, isStorable, toStorable } from './storable.ts';
