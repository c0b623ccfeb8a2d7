import type { Answer, AnswerExplanation } from '@svc/contract';
import Type from 'typebox';
import type { Llm } from '../../gateways/llm/index.ts';
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
/** Maximum size of all rows as JSON. Wide rows reduce their number. */
const bytesMax = 16_000;

type Rows = Extract<Ran, { readonly kind: 'Rows' }>;

/** Returns one JSON line per row, within the limits. */
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
 * Lets a model explain rows. It gets the rows that the run-SQL gateway returned, with the same masking as for users.
 *
 * @throws Refusal if the model returns no usable text, or if there are no rows to explain.
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
    /** Receives the usage of the model, also after a failure. */
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
    answerId: about.answerId,
    explanation: value.explanation.trim(),
    rowCount: lines.length,
    tokens,
    cost,
    model,
  };
}
