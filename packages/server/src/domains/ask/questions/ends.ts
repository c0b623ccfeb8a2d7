import { JobAbortError, type JobRun } from '@svc/jobs';
import { promptVersion } from '../answering/generate.ts';
import type { Outcome } from '../answering/outcome.ts';
import type * as store from '../store.ts';

/** Returns the final state of an answer after an error of its job. Null: the job is retried. */
export function lastEndOf(
  error: unknown,
  { attempt, attemptsMax }: Pick<JobRun, 'attempt' | 'attemptsMax'>,
): store.AnswerEnd | null {
  const cause = error instanceof JobAbortError ? error.cause : null;
  if (cause === 'Cancelled') return { state: 'Cancelled' };
  if (cause !== 'TimedOut' && (cause !== null || attempt < attemptsMax)) return null;
  const failure =
    cause === 'TimedOut'
      ? { code: 'TimedOut', message: 'It took too long. Ask for less, or about fewer tables.' }
      : { code: 'Interrupted', message: 'The work on it was cut short. Ask again.' };
  return { state: 'Failed', detail: { failure } };
}

/** Returns the final state of an answer from its outcome. */
export const endOf = (outcome: Outcome, durationMs: number): store.AnswerEnd => ({
  state: outcome.state,
  basis: outcome.basis,
  goldenExampleId: outcome.goldenExampleId,
  confidence: outcome.confidence,
  sql: outcome.sql,
  tokens: outcome.tokens,
  durationMs,
  promptVersion,
  detail: {
    assumptions: outcome.assumptions,
    advisories: outcome.advisories,
    clarification: outcome.clarification,
    missing: outcome.missing,
    failure: outcome.failure,
    votes: outcome.votes,
    similar: outcome.similar,
    columns: outcome.columns,
    truncatedBy: outcome.truncatedBy,
  },
});
