import type { Answer, AnswerStage } from '@svc/contract';
import Type, { type Static } from 'typebox';
import {
  type Llm,
  type LlmCharge,
  type LlmData,
  type LlmFailure,
  llmFailureTexts,
} from '../../gateways/llm/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { exampleFor } from '../golden-examples/index.ts';
import { type EarlierTurn, groundingOf, type Known, type ReadKnown } from '../grounding/index.ts';
import { noTokens, plus, vote } from './vote.ts';

/** Increase it with each change of the instructions or of the accompanying data. */
export const promptVersion = 3;

const instructions = `You write one SQL statement that answers a question about a database.
- Answer with kind "Sql" and one SELECT (WITH may come before it) in the dialect of the engine that is named.
- Use only tables and columns of the schema. Names are written as they stand there, quoted where the engine needs it.
- Columns that are marked "masked" can be counted and compared, but their values do not show.
- Terms of the glossary mean what is said there. Where one has a metric, its value is that expression over the rows of the table that it stands for.
- Examples are questions whose statement people have checked.
- Sentences under "learned" are what people confirmed of how this data is used.
- Earlier turns of the conversation may be what the question refers to.
- State in "assumptions" what you took for granted, at most five short sentences.
- Where the question can be understood in ways that give different rows, answer with kind "Clarify", a question and up to four options.
- Where the data does not hold what is asked, answer with kind "CannotAnswer" and say in "missing" what it lacks.
- Where a statement of yours was refused, "refused" and "refusal" say so: mend it.
- Members that do not belong to the kind are null or empty.`;

const short = (maxLength: number) => Type.String({ maxLength });
const ModelAnswer = Type.Object(
  {
    kind: Type.Unsafe<'Sql' | 'Clarify' | 'CannotAnswer'>({
      type: 'string',
      enum: ['Sql', 'Clarify', 'CannotAnswer'],
    }),
    sql: Type.Union([short(20_000), Type.Null()]),
    assumptions: Type.Array(short(500), { maxItems: 5 }),
    question: Type.Union([short(1_000), Type.Null()]),
    options: Type.Array(short(500), { maxItems: 4 }),
    missing: Type.Union([short(1_000), Type.Null()]),
  },
  { additionalProperties: false },
);

const outputTokensMax = 2_000;
/** Maximum number of repairs of a refused statement. */
const repairsMax = 2;

/** Verdict of the gates on a statement. */
export type Checked =
  | { readonly verdict: 'Passed' }
  /** `Failed`: the statement is invalid. `Unchecked`: the data source could not be queried. */
  | { readonly verdict: 'Failed' | 'Unchecked'; readonly code: string; readonly message: string };

export type Ran =
  | {
      readonly kind: 'Rows';
      readonly columns: Answer['columns'];
      readonly rows: readonly (readonly unknown[])[];
      readonly truncatedBy: Answer['truncatedBy'];
    }
  /** `isStatement`: another statement may succeed. The message contains no value of a row. */
  | {
      readonly kind: 'Refused';
      readonly code: string;
      readonly message: string;
      readonly isStatement: boolean;
    };

type Place = { readonly dataSourceId: number; readonly sql: string };
type Call = { readonly signal: AbortSignal; readonly callerId: string };

export type AnsweringDeps = {
  readonly database: Database;
  readonly llm: Llm;
  readonly readKnown: ReadKnown;
  /** Returns true if a column of this name is masked. */
  readonly isPersonal: (column: string) => boolean;
  readonly check: (place: Place, call: Call) => Promise<Checked>;
  readonly run: (
    place: Place & { readonly projectId: number; readonly rowsMax: number },
    call: Call,
  ) => Promise<Ran>;
  readonly advise: (sql: string, knowledge: Known) => readonly string[];
};

export type Asked = Call & {
  readonly projectId: number;
  readonly dataSourceId: number;
  readonly question: string;
  readonly turns: readonly EarlierTurn[];
  readonly isRun: boolean;
  readonly userId: number | null;
  readonly purpose: 'Ask' | 'Evaluation';
  /** Evaluation whose budget the model calls are also charged to. */
  readonly evaluation?: LlmCharge['evaluation'] | undefined;
  /** A golden example that is neither matched nor shown: the example under evaluation. */
  readonly withoutExampleId?: number;
  /** Maximum number of rows to read. */
  readonly rowsMax: number;
  /** Number of generated statements. Statements with the same rows support each other. */
  readonly candidates: number;
  /** True if only statements checked by users are allowed. */
  readonly isCheckedOnly: boolean;
  readonly onStage: (stage: AnswerStage) => void;
  /** Receives the cost of each model call, if prices are configured. */
  readonly onCost?: (cost: number) => void;
};

/** Result of a question. */
export type Outcome = Pick<
  Answer,
  | 'basis'
  | 'confidence'
  | 'sql'
  | 'assumptions'
  | 'advisories'
  | 'clarification'
  | 'missing'
  | 'failure'
  | 'votes'
  | 'similar'
  | 'columns'
  | 'truncatedBy'
  | 'tokens'
> & {
  readonly state: 'Answered' | 'NeedsClarification' | 'CannotAnswer' | 'Refused' | 'Failed';
  readonly rows: readonly (readonly unknown[])[] | null;
  readonly goldenExampleId: number | null;
  readonly repairs: number;
  /** Model that wrote the statement. Null if no model did. */
  readonly model: string | null;
};

const blank: Outcome = {
  state: 'Failed',
  basis: null,
  confidence: null,
  sql: null,
  assumptions: [],
  advisories: [],
  clarification: null,
  missing: null,
  failure: null,
  votes: null,
  similar: [],
  columns: [],
  rows: null,
  truncatedBy: null,
  tokens: noTokens,
  goldenExampleId: null,
  repairs: 0,
  model: null,
};

const failed = (code: string, message: string): Pick<Outcome, 'state' | 'failure'> => ({
  state: 'Failed',
  failure: { code, message },
});

const llmFailed = (failure: LlmFailure) => failed(failure, llmFailureTexts[failure]);

export type Answering = ReturnType<typeof createAnswering>;

/**
 * Answers questions with the statement of a golden example, or with a generated one. A model writes it from the metadata
 * of the source, and it must pass the gates. A model sees no row and has no other effect.
 */
export function createAnswering(deps: AnsweringDeps) {
  /** Runs a statement that passed the gates. */
  const ran = async (asked: Asked, sql: string): Promise<Ran | null> => {
    if (!asked.isRun) return null;
    asked.onStage('Running');
    const { projectId, dataSourceId, rowsMax } = asked;
    return deps.run({ projectId, dataSourceId, sql, rowsMax }, asked);
  };

  const rowsOf = (result: Ran | null): Pick<Outcome, 'columns' | 'rows' | 'truncatedBy'> =>
    result?.kind === 'Rows'
      ? { columns: result.columns, rows: result.rows, truncatedBy: result.truncatedBy }
      : { columns: [], rows: null, truncatedBy: null };

  /** Returns the checked answer to the same question. Undefined if there is none. */
  const match = async (asked: Asked): Promise<Outcome | undefined> => {
    asked.onStage('Matching');
    const { projectId, dataSourceId, question } = asked;
    const example = await exampleFor(deps.database, projectId, dataSourceId, question);
    if (!example || example.id === asked.withoutExampleId) return undefined;
    const checked = { ...blank, basis: 'Checked', confidence: 'High', goldenExampleId: example.id } as const;
    if (example.sql === null)
      return {
        ...checked,
        state: 'CannotAnswer',
        missing: example.notes ?? 'People have said that the data does not answer this.',
      };
    const result = await ran(asked, example.sql);
    const end =
      result?.kind === 'Refused' ? failed(result.code, result.message) : { state: 'Answered' as const };
    return { ...checked, sql: example.sql, ...rowsOf(result), ...end };
  };

  type Written = Static<typeof ModelAnswer> & { readonly sql: string };
  type Spent = Pick<Outcome, 'tokens' | 'model'>;
  type Turn = { readonly refused: string; readonly refusal: string };

  /** Returns the statement of the model, or an outcome if its answer is not a statement. */
  const write = async (
    asked: Asked,
    data: readonly LlmData[],
    mended: Turn | null,
  ): Promise<Spent & ({ readonly written: Written } | { readonly end: Partial<Outcome> })> => {
    asked.onStage('Writing');
    const answer = await deps.llm.call({
      purpose: asked.purpose,
      role: 'Main',
      instructions,
      data: [
        ...data,
        { name: 'question', text: asked.question },
        ...(mended
          ? [
              { name: 'refused', text: mended.refused },
              { name: 'refusal', text: mended.refusal },
            ]
          : []),
      ],
      schema: ModelAnswer,
      maxOutputTokens: outputTokensMax,
      charge: {
        userId: asked.userId,
        projectId: asked.projectId,
        ...(asked.evaluation && { evaluation: asked.evaluation }),
      },
      signal: asked.signal,
    });
    if (answer.cost !== null) asked.onCost?.(answer.cost);
    const spent = { tokens: answer.tokens, model: answer.kind === 'Failed' ? null : answer.model };
    if (answer.kind === 'Failed') return { ...spent, end: llmFailed(answer.failure) };
    if (answer.kind === 'Refused')
      return { ...spent, end: failed('ModelRefused', 'The language model declined to answer.') };
    const { value } = answer;
    if (value.kind === 'Clarify' && value.question !== null)
      return {
        ...spent,
        end: {
          state: 'NeedsClarification',
          clarification: { question: value.question, options: value.options },
        },
      };
    if (value.kind === 'CannotAnswer')
      return { ...spent, end: { state: 'CannotAnswer', missing: value.missing } };
    if (value.sql === null || value.sql.trim() === '') return { ...spent, end: llmFailed('BadAnswer') };
    return { ...spent, written: { ...value, sql: value.sql.trim() } };
  };

  /** Checks a statement and runs it. Returns its rows, or the refusal and whether another statement may succeed. */
  const prove = async (
    asked: Asked,
    sql: string,
  ): Promise<
    { refusal: { code: string; message: string; isStatement: boolean } } | { result: Ran | null }
  > => {
    asked.onStage('Checking');
    const checked = await deps.check({ dataSourceId: asked.dataSourceId, sql }, asked);
    if (checked.verdict !== 'Passed')
      return { refusal: { ...checked, isStatement: checked.verdict === 'Failed' } };
    const result = await ran(asked, sql);
    return result?.kind === 'Refused' ? { refusal: result } : { result };
  };

  const ask = async (asked: Asked): Promise<Outcome> => {
    asked.onStage('Grounding');
    const knowledge = await deps.readKnown(asked.projectId, asked.dataSourceId, {
      exampleId: asked.withoutExampleId,
    });
    if (knowledge.tables.length === 0)
      return {
        ...blank,
        state: 'CannotAnswer',
        failure: {
          code: 'NoSchema',
          message: 'No table of the data source is known. Refresh its metadata, or ask about another one.',
        },
      };
    const { question, turns } = asked;
    const grounding = groundingOf(knowledge, { question, turns, isPersonal: deps.isPersonal });
    const similar = grounding.similar.map(({ id, question: text }) => ({
      goldenExampleId: id,
      question: text,
    }));
    if (asked.isCheckedOnly)
      return { ...blank, state: 'CannotAnswer', missing: 'Nobody has checked an answer to it.', similar };
    return { ...(await written(asked, { data: grounding.data, known: knowledge })), similar };
  };

  type Grounded = { readonly data: readonly LlmData[]; readonly known: Known };

  /** Returns the model's answer. With several candidates: the answer with the most common rows. */
  const written = async (asked: Asked, grounded: Grounded): Promise<Outcome> => {
    // Without rows there is nothing to compare.
    const count = asked.isRun ? asked.candidates : 1;
    // The model writes them concurrently to save time. They are executed one after the other, because other users share the
    // data source.
    const firsts = await Promise.all(Array.from({ length: count }, () => write(asked, grounded.data, null)));
    const outcomes: Outcome[] = [];
    for (const first of firsts) outcomes.push(await proveAndMend(asked, grounded, first));
    const [only] = outcomes;
    return only && count === 1 ? only : vote(outcomes);
  };

  /** Proves the first statement and has the model repair it after a refusal. */
  const proveAndMend = async (
    asked: Asked,
    { data, known: knowledge }: Grounded,
    first: Awaited<ReturnType<typeof write>>,
  ): Promise<Outcome> => {
    let tokens = noTokens;
    let answer = first;
    for (let repairs = 0; ; repairs += 1) {
      tokens = plus(tokens, answer.tokens);
      const so = { ...blank, tokens, repairs, model: answer.model };
      if ('end' in answer) return { ...so, ...answer.end };
      const { sql, assumptions } = answer.written;
      const proved = await prove(asked, sql);
      const made = { ...so, basis: 'Model', sql, assumptions } as const;
      if ('result' in proved) {
        const advisories = [...deps.advise(sql, knowledge)];
        const confidence = repairs === 0 && advisories.length === 0 ? 'Medium' : 'Low';
        return { ...made, ...rowsOf(proved.result), state: 'Answered', advisories, confidence };
      }
      const { code, message, isStatement } = proved.refusal;
      if (!isStatement) return { ...made, ...failed(code, message) };
      if (repairs >= repairsMax) return { ...made, state: 'Refused', failure: { code, message } };
      answer = await write(asked, data, { refused: sql, refusal: message });
    }
  };

  return {
    /** Returns true if a checked answer exists, so that no model is needed. */
    isKnown: async (projectId: number, dataSourceId: number, question: string): Promise<boolean> =>
      (await exampleFor(deps.database, projectId, dataSourceId, question)) !== undefined,
    answer: async (asked: Asked): Promise<Outcome> => (await match(asked)) ?? ask(asked),
    /** Runs the statement of an earlier answer. It passes the gates again. */
    run: async (asked: Asked, sql: string): Promise<Ran> => {
      const proved = await prove(asked, sql);
      if ('refusal' in proved) return { kind: 'Refused', ...proved.refusal };
      return (
        proved.result ?? { kind: 'Refused', code: 'not-run', message: 'It was not run.', isStatement: false }
      );
    },
  };
}
