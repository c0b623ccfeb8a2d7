import { chooseTables, schemaLengthMax } from './choose-tables.ts';
import { chooseTerms, examplesText, similarExamples, termsIn, turnsText } from './choose-words.ts';
import { type EarlierTurn, type Knowledge, type KnownExample, tableNameOf } from './knowledge.ts';

/** Context for a model about one data source and one question, with the selected tables and examples. */
export type Grounding = {
  /** Named texts in the format of the LLM gateway. */
  readonly data: readonly { readonly name: string; readonly text: string }[];
  /** Names of the included tables. Empty when the schema is unknown. */
  readonly tables: readonly string[];
  /** True when every table of the schema is included. */
  readonly isWhole: boolean;
  /** Golden examples with similar questions, best first. */
  readonly similar: readonly KnownExample[];
};

export type GroundingQuestion = {
  readonly question: string;
  readonly turns?: readonly EarlierTurn[];
  /** Returns true when columns of this name are masked. */
  readonly isPersonal: (column: string) => boolean;
  /** Length limit of the schema text. Default: the limit for the service's own model. */
  readonly schemaLengthMax?: number;
};

const wordsOf = (sql: string): ReadonlySet<string> =>
  new Set(sql.toLowerCase().match(/[\p{L}\p{N}_$]+/gu) ?? []);

/** Returns tables that statements of similar questions and matching terms refer to. */
function raisedTables(
  knowledge: Knowledge,
  similar: readonly KnownExample[],
  question: string,
): ReadonlySet<string> {
  const statementWords = similar.map(({ sql }) => wordsOf(sql));
  const named = knowledge.tables.filter(({ name }) =>
    statementWords.some((some) => some.has(name.toLowerCase())),
  );
  const meant = termsIn(knowledge.terms, question).flatMap(({ target }) =>
    target ? [tableNameOf({ schema: target.schema, name: target.table })] : [],
  );
  return new Set([...named.map(tableNameOf), ...meant].map((name) => name.toLowerCase()));
}

/** Selects the context for a model from known data. Reads nothing and includes no row values. */
export function groundingOf(
  knowledge: Knowledge,
  { question, turns = [], isPersonal, ...limits }: GroundingQuestion,
): Grounding {
  const similar = similarExamples(knowledge.examples, question);
  const raised = raisedTables(knowledge, similar, question);
  const selection = chooseTables(knowledge, {
    question,
    isPersonal,
    raised,
    lengthMax: limits.schemaLengthMax ?? schemaLengthMax,
  });
  const data = [
    { name: 'engine', text: knowledge.engine },
    { name: 'schema', text: selection.text },
    { name: 'glossary', text: chooseTerms(knowledge.terms, question) },
    { name: 'examples', text: examplesText(similar) },
    { name: 'learned', text: knowledge.patterns.join('\n') },
    { name: 'earlier', text: turnsText(turns) },
  ];
  return {
    data: data.filter(({ text }) => text !== ''),
    tables: selection.tables,
    isWhole: selection.isWhole,
    similar,
  };
}
