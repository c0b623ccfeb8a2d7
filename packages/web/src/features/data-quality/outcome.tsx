import type { EvaluationStatus } from '@svc/contract';
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

/** A score of 0 to 100; a dash where nothing was judged. */
export const Score = ({ value }: { readonly value: number | null }) => (
  <span className="mono">{value === null ? '–' : scoreInWords(value)}</span>
);
