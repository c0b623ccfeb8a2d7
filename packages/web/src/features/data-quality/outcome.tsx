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

/** How an evaluation or a rule stood. */
export const Outcome = ({ status }: { readonly status: EvaluationStatus }) => (
  <Status tone={tones[status]}>{status}</Status>
);

const hundredths = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });

/** A score, in figures. */
export const scoreInWords = (score: number): string => hundredths.format(score);

/** Why an evaluation failed, as the end of a sentence; empty where it did not fail or no reason is stored. */
export function failureInWords(
  { status, failedBecause, score }: Pick<ContractEvaluation, 'status' | 'failedBecause' | 'score'>,
  failScore: number,
): string {
  if (status !== 'Failed' || failedBecause === null) return '';
  switch (failedBecause) {
    case 'RuleFailed':
      return '. Failed: a rule failed';
    case 'CriticalRuleFailed':
      return '. Failed: a critical rule failed';
    case 'ScoreTooLow':
      return `. Failed: the score ${score === null ? '' : `${scoreInWords(score)} `}is too low, the contract fails below ${scoreInWords(failScore)}`;
  }
}

/** A score of 0 to 100; a dash where nothing was judged. */
export const Score = ({ value }: { readonly value: number | null }) => (
  <span className="mono">{value === null ? '–' : scoreInWords(value)}</span>
);
