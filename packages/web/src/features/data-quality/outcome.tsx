import type { ContractEvaluation, EvaluationStatus } from '@svc/contract';
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

const hundredths = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });

export const scoreInWords = (score: number): string => hundredths.format(score);

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
      return `. Failed: the score ${score === null ? '' : `${scoreInWords(score)} `}is too low${limitInWords(failScore)}`;
  }
}

/** The limit of that time. The contract can have another one now, so an unknown limit is omitted. */
const limitInWords = (failScore: number | null): string =>
  failScore === null ? '' : `, the contract failed below ${scoreInWords(failScore)}`;

/** Score of 0 to 100. A dash if no rule was judged. */
export const Score = ({ value }: { readonly value: number | null }) => (
  <span className="mono">{value === null ? '–' : scoreInWords(value)}</span>
);
