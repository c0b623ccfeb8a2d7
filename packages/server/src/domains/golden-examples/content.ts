import type { GoldenInput } from '@svc/contract';
import { brokenRule, type Refusal } from '../../platform/http/index.ts';
import { questionKey } from './question.ts';
import type { GoldenContent } from './store.ts';

export const invalidExample = (path: string, message: string): Refusal =>
  brokenRule('invalid-golden-example', `The example cannot be kept: ${message}.`, [{ path, message }]);

/** Returns trimmed content. Refuses a statement that does not match the expected outcome. */
export function contentOf(input: GoldenInput): GoldenContent {
  const question = input.question.trim();
  const expected = input.expected ?? 'Rows';
  const sql = input.sql ?? null;
  if (expected === 'Rows' && sql === null)
    throw invalidExample('/sql', 'the statement of the answer is missing');
  if (expected === 'NoAnswer' && sql !== null)
    throw invalidExample('/sql', 'what has no answer has no statement either');
  return {
    question,
    questionKey: questionKey(question),
    expected,
    sql,
    dataSourceId: input.dataSourceId,
    notes: input.notes?.trim() || null,
    isActive: input.isActive ?? true,
  };
}
