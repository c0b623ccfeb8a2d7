import { plural } from '@svc/contract';
import { compilePattern } from './pattern-automaton.ts';
import { PatternReader, patternLengthMax, refusePattern } from './pattern-reader.ts';

/**
 * Patterns of operators. They have the common form of regular expressions (literals, `.`, classes, `\d \w \s`,
 * groups, `|`, `^`, `$`, `* + ? {m,n}`), without what needs going back: no back-references, no look-around. They are
 * matched by an automaton in time that grows with the text alone, so that no pattern can hold the event loop.
 */
export type Pattern = {
  /** True when the pattern occurs anywhere in the text, without case. */
  readonly occursIn: (text: string) => boolean;
};

/** Compiles a pattern; throws a refusal that says what is not accepted. */
export function parsePattern(source: string): Pattern {
  if (source.length === 0 || source.length > patternLengthMax) {
    throw refusePattern(source, `it must have 1 to ${plural(patternLengthMax, 'character')}`);
  }
  const occursIn = compilePattern(source, new PatternReader(source).read());
  return { occursIn: (text) => occursIn(text.toLowerCase()) };
}
