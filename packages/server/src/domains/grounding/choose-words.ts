import { createLexicalIndex } from '../../platform/search/index.ts';
import type { EarlierTurn, KnownExample, KnownTerm } from './knowledge.ts';
import { sentLength } from './sent-length.ts';

/** Length of the glossary up to which a prompt contains it completely, in characters. */
export const glossaryLengthMax = 8_000;
const termsMax = 12;
const examplesMax = 4;
const turnsMax = 3;
/** Length limits of all examples and of all earlier turns, in characters. */
const listLengthMax = 6_000;

/** Returns terms that match the words of a question, best first. */
export function termsIn(terms: readonly KnownTerm[], question: string): KnownTerm[] {
  const index = createLexicalIndex(
    terms.map((item) => ({
      item,
      fields: [
        ...[item.term, ...item.synonyms].map((text) => ({ text, weight: 3, isName: true })),
        { text: item.definition, weight: 0.5 },
      ],
    })),
  );
  return index
    .find(question)
    .slice(0, termsMax)
    .map(({ item }) => item);
}

/** Returns all terms while they are short, otherwise only terms that match the question. */
export function chooseTerms(terms: readonly KnownTerm[], question: string): string {
  const allTerms = linesOf(terms.map(termOf), Number.POSITIVE_INFINITY);
  if (sentLength(allTerms) <= glossaryLengthMax) return allTerms;
  return linesOf(termsIn(terms, question).map(termOf), glossaryLengthMax);
}

/** A term in the format of a prompt. */
export type PromptTerm = ReturnType<typeof termOf>;

/** Returns the first terms within the length limit, for callers without a question. */
export function firstTerms(terms: readonly KnownTerm[], countMax: number): PromptTerm[] {
  const selectedTerms: PromptTerm[] = [];
  let length = 0;
  for (const term of terms.slice(0, countMax).map(termOf)) {
    length += sentLength(JSON.stringify(term));
    if (length > glossaryLengthMax) break;
    selectedTerms.push(term);
  }
  return selectedTerms;
}

const termOf = ({ term, synonyms, definition, target, metricExpression }: KnownTerm) => ({
  term,
  ...(synonyms.length > 0 && { synonyms: [...synonyms] }),
  definition,
  ...(target && {
    standsFor: [target.schema, target.table, target.column].filter(Boolean).join('.'),
  }),
  ...(metricExpression !== null && { metric: metricExpression }),
});

/** Returns examples with similar questions, best first. */
export function similarExamples(examples: readonly KnownExample[], question: string): KnownExample[] {
  const index = createLexicalIndex(
    examples.map((item) => ({ item, fields: [{ text: item.question, weight: 1 }] })),
  );
  return index
    .find(question)
    .slice(0, examplesMax)
    .map(({ item }) => item);
}

export const examplesText = (examples: readonly KnownExample[]): string =>
  linesOf(
    examples.map(({ question, sql }) => ({ question, sql })),
    listLengthMax,
  );

/** Returns the last turns of a conversation, oldest first. */
export const turnsText = (turns: readonly EarlierTurn[]): string =>
  linesOf(
    turns
      .slice(-turnsMax)
      .reverse()
      .map(({ question, sql }) => ({ question, sql })),
    listLengthMax,
  )
    .split('\n')
    .reverse()
    .join('\n');

/** Returns one line of JSON per value, within the length limit. */
function linesOf(values: readonly object[], lengthMax: number): string {
  const lines: string[] = [];
  let length = 0;
  for (const value of values) {
    const line = JSON.stringify(value);
    const added = sentLength(line) + 2;
    if (length + added > lengthMax) continue;
    length += added;
    lines.push(line);
  }
  return lines.join('\n');
}
