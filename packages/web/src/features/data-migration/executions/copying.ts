import type { MigrationExecution } from '@svc/contract';
import { count, plural, size } from '../../../lib/format.ts';

type Progress = Pick<
  MigrationExecution,
  'rowsRead' | 'bytesRead' | 'estimatedRows' | 'stage' | 'startedAt' | 'isTrial'
>;

/** Time before an estimate is shown, because the rate of the first seconds is not representative. */
const settledMs = 5_000;
const minuteMs = 60_000;

/**
 * Returns the share of the expected rows that the copy has read, 0 to 1. Undefined if no number of rows is expected.
 */
export function shareRead({ rowsRead, estimatedRows, stage, isTrial }: Progress): number | undefined {
  if (isTrial || !estimatedRows) return undefined;
  return stage === 'Copying' ? Math.min(1, rowsRead / estimatedRows) : undefined;
}

/** Formats progress, such as "1,200 of about 48,000 rows, 1.2 MB". */
export function rowsReadInWords(progress: Progress): string {
  const { rowsRead, estimatedRows, bytesRead } = progress;
  const isPart = shareRead(progress) !== undefined && rowsRead < Number(estimatedRows);
  const rows = isPart
    ? `${count(rowsRead)} of about ${plural(Number(estimatedRows), 'row')}`
    : plural(rowsRead, 'row');
  return `${rows}, ${size(bytesRead)}`;
}

/**
 * Returns the estimated remaining time, such as "About 3 min left". Undefined before an estimate is possible, and after
 * the last row.
 */
export function timeLeft(progress: Progress, now: number): string | undefined {
  const share = shareRead(progress);
  const { startedAt } = progress;
  if (!share || share >= 1 || startedAt === null) return undefined;
  const elapsedMs = now - Date.parse(startedAt);
  if (elapsedMs < settledMs) return undefined;
  const leftMs = (elapsedMs * (1 - share)) / share;
  if (leftMs < minuteMs) return 'Less than a minute left';
  const minutes = Math.round(leftMs / minuteMs);
  return minutes < 120 ? `About ${minutes} min left` : `About ${Math.round(minutes / 60)} h left`;
}
