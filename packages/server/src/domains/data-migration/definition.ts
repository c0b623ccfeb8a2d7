import type { MigrationJobInput } from '@svc/contract';
import { type Caller, isAdmin } from '../../platform/access/index.ts';
import { forbidden } from '../../platform/http/index.ts';
import type { JobDefinition } from './store.ts';

const defaults = {
  description: null,
  createsTable: false,
  keyColumns: [],
  columns: null,
  incremental: null,
  personalData: 'Refuse',
  onRejectedRow: 'Fail',
  rejectedRowsMax: 100,
  minimumSourceRows: 0,
  deletedShareMax: 0.2,
  cronExpression: null,
  timeZone: null,
  isEnabled: true,
  retriesMax: 3,
  timeoutMinutes: 30,
} as const;

/** The whole of what was entered. Modes that take away what the source lacks need a row at least. */
export function definitionOf(input: MigrationJobInput): JobDefinition {
  const whole: JobDefinition = {
    ...defaults,
    ...input,
    name: input.name.trim(),
    keyColumns: input.keyColumns ?? [],
  };
  const empties = whole.mode === 'Truncate' || whole.mode === 'Sync';
  return { ...whole, minimumSourceRows: Math.max(whole.minimumSourceRows, empties ? 1 : 0) };
}

/** Copying personal data as it is needs an Admin: to save such a job, and to run it. */
export function assertMayCopy(caller: Caller, { personalData }: Pick<JobDefinition, 'personalData'>): void {
  if (personalData !== 'Copy' || isAdmin(caller)) return;
  throw forbidden(
    'copy-of-personal-data',
    'Copying personal data as it is needs an Admin: refuse or mask it.',
  );
}
