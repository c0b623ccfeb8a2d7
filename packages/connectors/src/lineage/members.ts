import type { LineageExpression } from './query.ts';

/** Matches paths such as `'$.email'`, `'{contact,email}'`, `'//email/text()'`. */
const path = /^(?:\$|\{|[\s(]*(?:\.{0,2}\/|@))/;

/** Returns true for a text that addresses members of a document. */
export const isMemberPath = (text: string): boolean => path.test(text);

/** Returns the words of a path or a member's name. A path with a star may address any member. */
export function memberWords(text: string): LineageExpression {
  const words = text.split(/[^\p{L}\p{N}_-]+/u).filter((word) => word !== '');
  const named: LineageExpression = { kind: 'word', words };
  return /^\$.*\.\*/.test(text)
    ? { kind: 'unknown', why: 'the members that a path leads to', parts: [named] }
    : named;
}

const none: LineageExpression = { kind: 'none' };

/** Combines the flows of all parts. */
export function combine(parts: readonly LineageExpression[]): LineageExpression {
  const carrying = parts.filter(({ kind }) => kind !== 'none');
  const [only] = carrying;
  if (!only) return none;
  return carrying.length === 1 ? only : { kind: 'combine', parts: carrying };
}
