import Type, { type Static } from 'typebox';
import type { Llm, LlmData } from '../../../gateways/llm/index.ts';
import { failed, llmFailed, type Outcome } from './outcome.ts';
import type { AnswerRequest } from './request.ts';

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

/** A statement that was refused, for its repair. */
type RefusedStatement = { readonly sql: string; readonly message: string };

/** Statement of a model, or an outcome if its answer is not a statement. */
export type Generation = Pick<Outcome, 'tokens' | 'model'> &
  (
    | { readonly statement: Pick<Outcome, 'assumptions'> & { readonly sql: string } }
    | { readonly end: Partial<Outcome> }
  );

/** Lets a model write a statement. @param refused  An earlier statement to repair; null for a new one. */
export async function generate(
  llm: Pick<Llm, 'call'>,
  request: AnswerRequest,
  data: readonly LlmData[],
  refused: RefusedStatement | null,
): Promise<Generation> {
  request.onStage('Writing');
  const answer = await llm.call({
    purpose: request.purpose,
    role: 'Main',
    instructions,
    data: [...data, { name: 'question', text: request.question }, ...(refused ? repairData(refused) : [])],
    schema: ModelAnswer,
    maxOutputTokens: outputTokensMax,
    charge: {
      userId: request.userId,
      projectId: request.projectId,
      ...(request.evaluation && { evaluation: request.evaluation }),
    },
    signal: request.signal,
  });
  if (answer.cost !== null) request.onCost?.(answer.cost);
  const usage = { tokens: answer.tokens, model: answer.kind === 'Failed' ? null : answer.model };
  if (answer.kind === 'Failed') return { ...usage, end: llmFailed(answer.failure) };
  if (answer.kind === 'Refused')
    return { ...usage, end: failed('ModelRefused', 'The language model declined to answer.') };
  return { ...usage, ...readAnswer(answer.value) };
}

const repairData = ({ sql, message }: RefusedStatement): LlmData[] => [
  { name: 'refused', text: sql },
  { name: 'refusal', text: message },
];

function readAnswer({ kind, sql, assumptions, question, options, missing }: Static<typeof ModelAnswer>) {
  if (kind === 'Clarify' && question !== null)
    return { end: { state: 'NeedsClarification', clarification: { question, options } } } as const;
  if (kind === 'CannotAnswer') return { end: { state: 'CannotAnswer', missing } } as const;
  if (sql === null || sql.trim() === '') return { end: llmFailed('BadAnswer') };
  return { statement: { sql: sql.trim(), assumptions } };
}
