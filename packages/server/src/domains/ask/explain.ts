import type { Answer, AnswerExplanation } from '@svc/contract';
import Type from 'typebox';
import type { Llm } from '../../doors/llm/index.ts';
import type { Caller } from '../../platform/access/index.ts';
import { conflict } from '../../platform/http/index.ts';
import { llmRefusal } from '../llm-usage/index.ts';
import type { Ran } from './answering.ts';

const instructions = `You say in plain words what the rows of an answer tell about a question.
- "question" was asked, "statement" is the SQL that answered it, "columns" names what came, and each line of "rows" is a row.
- Answer in "explanation" with at most eight sentences in the language of the question: what the rows say, and what stands out.
- Values with *** in them are masked. Do not guess what they hide.
- Use only what is there. Where "cut" says that there are more rows, say that you saw a part.
- Plain text: no Markdown, no HTML, no links, no SQL.`;

const Explained = Type.Object(
  { explanation: Type.String({ minLength: 1, maxLength: 4_000 }) },
  { additionalProperties: false },
);
const outputTokensMax = 1_000;
const rowsMax = 50;
/** Of all rows together, as JSON: a wide row leaves room for fewer. */
const bytesMax = 16_000;

type Rows = Extract<Ran, { readonly kind: 'Rows' }>;

/** As many rows as there is room for, a line each. */
function linesOf(rows: Rows['rows']): string[] {
  const lines: string[] = [];
  let bytes = 0;
  for (const row of rows.slice(0, rowsMax)) {
    const line = JSON.stringify(row);
    bytes += Buffer.byteLength(line) + 1;
    if (bytes > bytesMax) break;
    lines.push(line);
  }
  return lines;
}

/**
 * Has a model say in words what rows tell. It is given what the run-SQL door handed out, so that what is masked for
 * people is masked for it.
 *
 * @throws Refusal where no usable text comes back, or where there is nothing to explain.
 */
export async function explainRows(
  llm: Pick<Llm, 'call'>,
  about: {
    readonly caller: Caller;
    readonly projectId: number;
    readonly answerId: number;
    readonly question: string;
    readonly sql: string;
    readonly result: Rows;
    readonly signal: AbortSignal;
    /** Told what the model took, whatever came back. */
    readonly onTaken: (taken: Pick<Answer, 'tokens' | 'cost'>) => Promise<void>;
  },
): Promise<AnswerExplanation> {
  const { columns, rows, truncatedBy } = about.result;
  const lines = linesOf(rows);
  if (lines.length === 0)
    throw conflict(
      'answer-not-runnable',
      rows.length === 0
        ? 'The statement gives no rows, so that there is nothing to explain.'
        : 'The rows are too wide to be explained.',
    );
  const isCut = truncatedBy !== null || lines.length < rows.length;
  const answer = await llm.call({
    purpose: 'Ask',
    role: 'Main',
    instructions,
    data: [
      { name: 'question', text: about.question },
      { name: 'statement', text: about.sql },
      { name: 'columns', text: JSON.stringify(columns.map(({ name, isMasked }) => ({ name, isMasked }))) },
      { name: 'rows', text: lines.join('\n') },
      ...(isCut ? [{ name: 'cut', text: `There are more rows than these ${lines.length}.` }] : []),
    ],
    schema: Explained,
    maxOutputTokens: outputTokensMax,
    charge: { userId: about.caller.userId, projectId: about.projectId },
    signal: about.signal,
  });
  await about.onTaken({ tokens: answer.tokens, cost: answer.cost });
  if (answer.kind !== 'Value') throw llmRefusal(answer);
  const { model, tokens, cost, value } = answer;
  return {
    ...{ answerId: about.answerId, explanation: value.explanation.trim() },
    ...{ rowCount: lines.length, tokens, cost, model },
  };
}
