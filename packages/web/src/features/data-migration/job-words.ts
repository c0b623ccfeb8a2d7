import type { MigrationJob, MigrationJobInput, MigrationValidation } from '@svc/contract';
import { plural } from '../../lib/format.ts';

type Mode = MigrationJobInput['mode'];

/** Effect of each mode, as the form describes it. */
export const modeWords: Readonly<Record<Mode, string>> = {
  Insert: 'Insert: add all rows',
  Upsert: 'Upsert: add new rows, change those whose key is there',
  Truncate: 'Truncate: replace all rows',
  Sync: 'Sync: upsert, and delete what the source lacks',
};

/** Returns true for modes that can delete rows. The page warns before a run. */
export const takesAway = (mode: Mode): boolean => mode === 'Truncate' || mode === 'Sync';

/** Returns the destination of a job in words. */
export const destinationOf = ({
  destinationDataSourceName: name,
  destination: { schema, table },
}: MigrationJob) => `${name}: ${schema}.${table}`;

type Counts = Pick<MigrationValidation, 'estimatedRows' | 'targetRows' | 'destinationExists'>;
type Told = Pick<MigrationJob, 'mode' | 'createsTable' | 'deletedShareMax'> & {
  readonly incremental: unknown;
};

const about = (rows: number | null): string =>
  rows === null ? 'an unknown number of rows' : `about ${plural(Math.round(rows), 'row')}`;

/** Describes the effect of a copy, with the row counts that both sides estimate. */
export function whatWillHappen(job: Told, { estimatedRows, targetRows, destinationExists }: Counts): string {
  const reads = `Reads ${about(estimatedRows)}${job.incremental ? ' at most, as only what is newer than the last copy is read' : ''}.`;
  if (!destinationExists)
    return `${reads} ${job.createsTable ? 'Makes the table' : 'The table is not there'}.`;
  const there = `The table has ${about(targetRows)}`;
  const does: Readonly<Record<Mode, string>> = {
    Insert: `${there}, which stay as they are; all that is read is added.`,
    Upsert: `${there}; those with the key of a row that is read are changed, the others stay, new ones are added.`,
    Truncate: `${there}, and all of them are replaced by what is read.`,
    Sync: `${there}; those that the source lacks are deleted, at most ${Math.round(job.deletedShareMax * 100)}% of them, or nothing happens.`,
  };
  return `${reads} ${does[job.mode]}`;
}
