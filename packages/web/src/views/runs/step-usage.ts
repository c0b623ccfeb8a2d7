import type { RunStatement } from '@svc/contract';
import { duration, plural, scanned } from '../../lib/format.ts';

type Usage = Pick<RunStatement, 'scannedBytes' | 'billedBytes' | 'retries'>;

/** Describes the total usage of data sources by steps. Empty if it is unknown. */
export function usageWords(steps: readonly Usage[]): readonly string[] {
  const bytes = steps.flatMap(({ scannedBytes }) => scannedBytes ?? []);
  const retries = steps.flatMap((step) => step.retries ?? []);
  const waitedMs = sum(retries.map((each) => each.waitedMs));
  return [
    ...(bytes.length > 0 ? [`${scanned(sum(bytes))} scanned`] : []),
    ...billedWords(steps.flatMap(({ billedBytes }) => (billedBytes === undefined ? [] : [billedBytes]))),
    ...(retries.length > 0
      ? [
          `${plural(sum(retries.map(({ count }) => count)), 'request')} sent again after ${duration(waitedMs)} of waiting`,
        ]
      : []),
  ];
}

/** Describes the billed bytes. Some engines report them only for some statements. */
function billedWords(bytes: readonly (number | null)[]): readonly string[] {
  if (bytes.length === 0) return [];
  const billed = bytes.filter((each) => each !== null);
  if (billed.length === 0) return ['billed bytes not known'];
  return [`${billed.length < bytes.length ? 'at least ' : ''}${scanned(sum(billed))} billed`];
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);
