import { plural } from '@svc/contract';
import { compilePattern } from './pattern-automaton.ts';
import { PatternReader, patternLengthMax, refusePattern } from './pattern-reader.ts';

/**
 * A pattern of an operator. The syntax is that of regular expressions (literals, `.`, classes, `\d \w \s`, groups, `|`,
 * `^`, `$`, `* + ? {m,n}`), without features that need backtracking: no back-references, no look-around. An automaton
 * matches it in time linear in the text, so no pattern can block the event loop.
 */
export type Pattern = {
  /** Returns true if the pattern occurs anywhere in the text, ignoring case. */
  readonly occursIn: (text: string) => boolean;
};

/** Compiles a pattern. Throws a refusal that names the unsupported part. */
export function parsePattern(source: string): Pattern {
  if (source.length === 0 || source.length > patternLengthMax) {
    throw refusePattern(source, `it must have 1 to ${plural(patternLengthMax, 'character')}`);
  }
  const occursIn = compilePattern(source, new PatternReader(source).read());
  return { occursIn: (text) => occursIn(text.toLowerCase()) };
}
