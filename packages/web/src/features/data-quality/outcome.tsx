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

const usualDecimals = 1;
const decimalsMax = 20;

export const scoreInWords = (score: number, decimals: number = usualDecimals): string =>
  new Intl.NumberFormat('en', { maximumFractionDigits: decimals }).format(score);

/** Returns the number of decimals with which two different scores have different texts. */
function decimalsToDiffer(score: number, other: number): number {
  if (score === other) return usualDecimals;
  let decimals = usualDecimals;
  while (decimals < decimalsMax && scoreInWords(score, decimals) === scoreInWords(other, decimals))
    decimals += 1;
  return decimals;
}

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
  const decimals = score === null || failScore === null ? usualDecimals : decimalsToDiffer(score, failScore);
  const low = score === null ? '' : `${scoreInWords(score, decimals)} `;
  const limit = failScore === null ? '' : `, the contract failed below ${scoreInWords(failScore, decimals)}`;
  return `the score ${low}is too low${limit}`;
}

/** Score of 0 to 100. A dash if no rule was judged. */
export const Score = ({ value }: { readonly value: number | null }) => (
  <span className="mono">{value === null ? '–' : scoreInWords(value)}</span>
);
