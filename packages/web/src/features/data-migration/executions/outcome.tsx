import type { MigrationExecution, MigrationStatus } from '@svc/contract';
import { count, words } from '../../../lib/format.ts';
import { Status, type Tone } from '../../../ui/record/status.tsx';

const tones: Readonly<Record<MigrationStatus, Tone>> = {
  Queued: 'neutral',
  Running: 'blue',
  Completed: 'green',
  PartialSuccess: 'amber',
  Failed: 'red',
  Cancelled: 'neutral',
};

/** State of a copy. */
export const Outcome = ({ status }: { readonly status: MigrationStatus }) => (
  <Status tone={tones[status]}>{words(status)}</Status>
);

/** Describes the changes of a copy at the destination. Omits counts of zero. */
export function changesOf(execution: MigrationExecution): string {
  const parts = [
    [execution.rowsInserted, 'added'],
    [execution.rowsUpdated, 'changed'],
    [execution.rowsUnchanged, 'as they were'],
    [execution.rowsDeleted, 'deleted'],
    [execution.rowsRejected, 'rejected'],
  ] as const;
  return parts
    .filter(([rows]) => rows > 0)
    .map(([rows, what]) => `${count(rows)} ${what}`)
    .join(', ');
}
