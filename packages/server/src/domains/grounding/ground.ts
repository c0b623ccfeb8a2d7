import { chooseTables, schemaLengthMax } from './choose-tables.ts';
import { chooseTerms, examplesText, similarExamples, termsIn, turnsText } from './choose-words.ts';
import { type EarlierTurn, type Known, type KnownExample, tableNameOf } from './known.ts';

/** What a model is told of a data source for one question, and what of it was chosen. */
export type Grounding = {
  /** Named texts, as the LLM door takes them. */
  readonly data: readonly { readonly name: string; readonly text: string }[];
  /** Names of the tables that are told. Empty: nothing is known of the schema. */
  readonly tables: readonly string[];
  /** Every table of the schema is among them. */
  readonly isWhole: boolean;
  /** Golden examples whose questions are like this one, best first. */
  readonly similar: readonly KnownExample[];
};

export type GroundingQuestion = {
  readonly question: string;
  readonly turns?: readonly EarlierTurn[];
  /** Whether a column of this name is masked. */
  readonly isPersonal: (column: string) => boolean;
  /** Of the schema as it is sent. Default: what goes to the service's own model. */
  readonly schemaLengthMax?: number;
};

const wordsOf = (sql: string): ReadonlySet<string> =>
  new Set(sql.toLowerCase().match(/[\p{L}\p{N}_$]+/gu) ?? []);

/** Tables that statements of similar questions and the terms of this one lead to. */
function raisedTables(known: Known, similar: readonly KnownExample[], question: string): ReadonlySet<string> {
  const words = similar.map(({ sql }) => wordsOf(sql));
  const named = known.tables.filter(({ name }) => words.some((some) => some.has(name.toLowerCase())));
  const meant = termsIn(known.terms, question).flatMap(({ target }) =>
    target ? [tableNameOf({ schema: target.schema, name: target.table })] : [],
  );
  return new Set([...named.map(tableNameOf), ...meant].map((name) => name.toLowerCase()));
}

/** Chooses what of all that is known goes to a model. It reads nothing, and no value of a row is part of it. */
export function groundingOf(
  known: Known,
  { question, turns = [], isPersonal, ...limits }: GroundingQuestion,
): Grounding {
  const similar = similarExamples(known.examples, question);
  const raised = raisedTables(known, similar, question);
  const chosen = chooseTables(known, {
    ...{ question, isPersonal, raised },
    lengthMax: limits.schemaLengthMax ?? schemaLengthMax,
  });
  const data = [
    { name: 'engine', text: known.engine },
    { name: 'schema', text: chosen.text },
    { name: 'glossary', text: chooseTerms(known.terms, question) },
    { name: 'examples', text: examplesText(similar) },
    { name: 'learned', text: known.learned.join('\n') },
    { name: 'earlier', text: turnsText(turns) },
  ];
  return {
    data: data.filter(({ text }) => text !== ''),
    tables: chosen.tables,
    isWhole: chosen.isWhole,
    similar,
  };
}
