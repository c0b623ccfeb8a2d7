import type { Answer } from '@svc/contract';
import { type Static, Type } from 'typebox';
import type { Caller } from '../../../platform/access/index.ts';
import type { Catalogue } from '../context/catalogue.ts';
import { dataLine, dataNotice, framed } from '../context/framing.ts';
import { dataSource, output, projectId, resultRows } from './shapes.ts';
import type { Tool } from './tool.ts';

/** Answers questions and stores feedback on the answers. */
export type Asking = {
  readonly askNow: (
    caller: Caller,
    about: {
      readonly projectId: number;
      readonly dataSourceId: number;
      readonly question: string;
      readonly rowsMax: number;
    },
    signal: AbortSignal,
  ) => Promise<Answer>;
  readonly feedbackNow: (
    caller: Caller,
    id: number,
    feedback: { readonly verdict: 'Right' | 'Wrong'; readonly comment?: string; readonly sql?: string },
  ) => Promise<void>;
};

const questionLengthMax = 4_000;
const rowsMax = 100;

const AskInput = Type.Object({
  question: Type.String({
    minLength: 1,
    maxLength: questionLengthMax,
    pattern: '\\S',
    description: 'The question in plain language.',
  }),
  data_source: dataSource,
  project_id: projectId,
});

const list = Type.Array(Type.String());
const AskOutput = Type.Object({
  answerId: Type.Integer({ description: 'For the tool feedback.' }),
  state: Type.String({
    description: 'Answered, NeedsClarification, CannotAnswer, Refused or Failed.',
  }),
  basis: output.nullableText,
  confidence: output.nullableText,
  sql: output.nullableText,
  dataSourceId: Type.Integer(),
  assumptions: list,
  advisories: list,
  agreed: Type.Union([Type.String(), Type.Null()], {
    description: 'Where several statements were written: how many of them gave these rows, such as "3 of 5".',
  }),
  askedBack: output.nullableText,
  options: list,
  missing: output.nullableText,
  failure: output.nullableText,
  columns: resultRows.columns,
  rows: resultRows.rows,
  truncatedBy: resultRows.truncatedBy,
  tokens: Type.Object(
    { input: Type.Integer(), output: Type.Integer() },
    { description: 'Of the language model; 0 where it was not asked.' },
  ),
  cost: Type.Union([Type.Number(), Type.Null()], {
    description: 'In the money of the prices that are set for the model; null without prices.',
  }),
  notice: output.notice,
});

const ended: Readonly<Record<string, string>> = {
  Answered: 'The question was answered by the statement that follows.',
  NeedsClarification: 'The question can be understood in several ways. Ask again and say which is meant.',
  CannotAnswer: 'The data does not answer the question.',
  Refused: 'No statement for the question passed the gates.',
  Failed: 'The question could not be answered.',
};

/** Tool that answers a question in plain language. It may call the language model, which receives no row. */
export const askTool = (deps: {
  readonly asking: Asking;
  readonly catalogue: Catalogue;
}): Tool<Static<typeof AskInput>> => ({
  name: 'ask',
  title: 'Ask a question in plain language',
  description:
    'Answers a question about a data source of the project: by a statement that people have checked for this question, else by one that a language model writes. Either passes the gates of dry_run; rows are masked and capped. Say with feedback whether the answer was right.',
  input: AskInput,
  output: AskOutput,
  needsSources: true,
  annotations: { readOnlyHint: true, idempotentHint: false },
  run: async ({ question, data_source }, call) => {
    const source = await deps.catalogue.pickSource(call.project, data_source);
    call.touch({ dataSourceId: source.id });
    const answer = await deps.asking.askNow(
      call.caller,
      {
        projectId: call.project.id,
        dataSourceId: source.id,
        question,
        rowsMax: Math.min(rowsMax, call.project.settings.maxRows),
      },
      call.signal,
    );
    const { id: answerId, state, basis, confidence, sql, assumptions, advisories, clarification } = answer;
    const { missing, failure, votes, columns, truncatedBy } = answer;
    // The run-SQL gateway returns texts, numbers, booleans, nulls, and JSON for nested values.
    const rows = (answer.rows ?? []) as Static<typeof AskOutput>['rows'];
    const facts = {
      state,
      basis,
      confidence,
      sql,
      assumptions,
      advisories,
      agreed: votes === null ? null : `${votes.agreed} of ${votes.of}`,
      askedBack: clarification?.question ?? null,
      options: clarification?.options ?? [],
      missing,
      failure: failure?.message ?? null,
    };
    return {
      text: framed(
        `${ended[state] ?? ''} Answer ${answerId}. The first line tells about it, the second names the columns, each further line is a row.`,
        [dataLine(facts), dataLine(columns), ...rows.map(dataLine)],
      ),
      structured: {
        answerId,
        ...facts,
        dataSourceId: source.id,
        columns,
        rows,
        truncatedBy,
        tokens: { input: answer.tokens.input, output: answer.tokens.output },
        cost: answer.cost,
        notice: dataNotice,
      },
      rowCount: rows.length,
      maskedColumns: columns.filter(({ isMasked }) => isMasked).map(({ name }) => name),
    };
  },
});

const FeedbackInput = Type.Object({
  answer_id: Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'As ask told it.' }),
  verdict: Type.Unsafe<'Right' | 'Wrong'>({ type: 'string', enum: ['Right', 'Wrong'] }),
  comment: Type.Optional(Type.String({ maxLength: 2_000 })),
  sql: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100_000,
      pattern: '\\S',
      description: 'The statement that would have been right.',
    }),
  ),
  project_id: projectId,
});

/** Tool that stores feedback on an answer, from a client or its user. */
export const feedbackTool = (deps: { readonly asking: Asking }): Tool<Static<typeof FeedbackInput>> => ({
  name: 'feedback',
  title: 'Say whether an answer was right',
  description:
    'Tells the administrators whether an answer of ask was right, with the right statement where it is known. The last word counts.',
  input: FeedbackInput,
  output: Type.Object({ answerId: Type.Integer(), isKept: Type.Boolean() }),
  annotations: { readOnlyHint: false, idempotentHint: true },
  run: async ({ answer_id: answerId, verdict, comment, sql }, call) => {
    await deps.asking.feedbackNow(call.caller, answerId, {
      verdict,
      ...(comment !== undefined && { comment }),
      ...(sql !== undefined && { sql }),
    });
    return {
      text: framed('What was said of the answer is kept.', [dataLine({ answerId, verdict })]),
      structured: { answerId, isKept: true },
      rowCount: null,
      maskedColumns: [],
    };
  },
});
