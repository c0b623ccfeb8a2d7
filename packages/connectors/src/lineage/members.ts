import type { LineageExpression } from './query.ts';

/** `'$.email'`, `'{contact,email}'`, `'//email/text()'`. */
const path = /^(?:\$|\{|[\s(]*(?:\.{0,2}\/|@))/;

/** True for a text that leads to members of a document. */
export const isMemberPath = (text: string): boolean => path.test(text);

/** The words of a path or a member's name. A path with a star may lead to any member. */
export function memberWords(text: string): LineageExpression {
  const words = text.split(/[^\p{L}\p{N}_-]+/u).filter((word) => word !== '');
  const named: LineageExpression = { kind: 'word', words };
  return /^\$.*\.\*/.test(text)
    ? { kind: 'unknown', why: 'the members that a path leads to', parts: [named] }
    : named;
}

const none: LineageExpression = { kind: 'none' };

/** All that flows into the parts. */
export function combine(parts: readonly LineageExpression[]): LineageExpression {
  const carrying = parts.filter(({ kind }) => kind !== 'none');
  const [only] = carrying;
  if (!only) return none;
  return carrying.length === 1 ? only : { kind: 'combine', parts: carrying };
}
