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

/** Returns the input with all defaults. Modes that delete rows require at least one source row. */
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

/** Refuses jobs with unmasked personal data unless the caller is an Admin. Applies to saving and to running a job. */
export function assertMayCopy(caller: Caller, { personalData }: Pick<JobDefinition, 'personalData'>): void {
  if (personalData !== 'Copy' || isAdmin(caller)) return;
  throw forbidden(
    'copy-of-personal-data',
    'Copying personal data as it is needs an Admin: refuse or mask it.',
  );
}
