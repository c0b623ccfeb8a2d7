import type { ProblemTable } from './problem-table.ts';

/** Codes of data migration. */
export const migrationsProblems = {
  'copy-of-personal-data': {
    status: 403,
    title: 'Copy of personal data',
    means: 'The job copies personal data unmasked. Only an Admin may allow this.',
    next: 'Refuse or mask personal data, or have an Admin save and run the job.',
    operations: [
      'createMigrationJob',
      'updateMigrationJob',
      'previewMigration',
      'runMigrationJob',
      'retryMigrationExecution',
    ],
  },
  'destination-not-writable': {
    status: 400,
    title: 'Destination cannot be written to',
    means: 'The service only supports reading from the engine of the destination.',
    next: 'Choose a PostgreSQL, MySQL or MariaDB data source as the destination.',
    operations: ['createMigrationJob', 'updateMigrationJob', 'previewMigration'],
  },
  'migration-ended': {
    status: 409,
    title: 'Copy has ended',
    means: 'The copy has ended and can no longer be cancelled.',
    next: 'Look at how it ended.',
    operations: ['cancelMigrationExecution'],
  },
  'migration-not-failed': {
    status: 409,
    title: 'Copy did not fail',
    means: 'Only a failed or cancelled copy can be started again.',
    next: 'Run the job instead.',
    operations: ['retryMigrationExecution'],
  },
  'migration-running': {
    status: 409,
    title: 'Migration job runs',
    means: 'A copy of the job is queued or running. A job has at most one copy at a time.',
    next: 'Wait for its end, or cancel it.',
    operations: ['runMigrationJob', 'retryMigrationExecution', 'archiveMigrationJob'],
  },
  'migration-source-failed': {
    status: 424,
    title: 'Data source cannot be asked',
    means: 'One of the two data sources of the job is unavailable, so the job cannot be checked.',
    next: 'Read `detail`, test the connections of both data sources, and try again.',
    operations: ['validateMigrationJob', 'previewMigration'],
  },
  'migration-writes-closed': {
    status: 409,
    title: 'Closed to data migration',
    means: 'Data migration may not write to the destination.',
    next: 'Have an Admin allow it at the data source.',
    operations: ['runMigrationJob', 'retryMigrationExecution'],
  },
} as const satisfies ProblemTable;
