import type { ContractEvaluation, EvaluationStatus } from '@svc/contract';
import { limitText, scoreText } from '../../lib/format.ts';
import { Status, type Tone } from '../../ui/record/status.tsx';

const tones: Readonly<Record<EvaluationStatus, Tone>> = {
  Queued: 'neutral',
  Running: 'blue',
  Passed: 'green',
  Warned: 'amber',
  Failed: 'red',
  Error: 'red',
};

/** State of an evaluation or a rule. */
export const Outcome = ({ status }: { readonly status: EvaluationStatus }) => (
  <Status tone={tones[status]}>{status}</Status>
);

/**
 * Returns the reason why an evaluation failed, as the end of a sentence. Empty if it did not fail or has no stored
 * reason.
 */
export function failureInWords({
  status,
  failedBecause,
  score,
  failScore,
}: Pick<ContractEvaluation, 'status' | 'failedBecause' | 'score' | 'failScore'>): string {
  if (status !== 'Failed' || failedBecause === null) return '';
  switch (failedBecause) {
    case 'RuleFailed':
      return '. Failed: a rule failed';
    case 'CriticalRuleFailed':
      return '. Failed: a critical rule failed';
    case 'ScoreTooLow':
      return `. Failed: ${lowScoreInWords(score, failScore)}`;
  }
}

/** The limit of that time. The contract can have another one now, so an unknown limit is omitted. */
function lowScoreInWords(score: number | null, failScore: number | null): string {
  const limits = failScore === null ? [] : [failScore];
  const low = score === null ? '' : `${scoreText(score, ...limits)} `;
  const limit = failScore === null ? '' : `, the contract failed below ${limitText(failScore)}`;
  return `the score ${low}is too low${limit}`;
}

type ScoreProps = {
  readonly value: number | null;
  /** Limits next to the score on the page. */
  readonly limits?: readonly number[];
};

/** Score of 0 to 100. A dash if no rule was judged. */
export const Score = ({ value, limits = [] }: ScoreProps) => (
  <span className="mono">{value === null ? '–' : scoreText(value, ...limits)}</span>
);
