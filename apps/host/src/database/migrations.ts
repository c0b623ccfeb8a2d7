import { describeMigrationProgress, type OnMigrationProgress } from '@svc/server';

/**
 * Prints the progress of a schema upgrade for the user who waits for the service. The creation of a schema is silent
 * unless it takes long.
 */
export const tellOfMigrations =
  (say: (line: string) => void): OnMigrationProgress =>
  (progress) => {
    const isLong = progress.kind === 'waiting' || (progress.kind === 'running' && progress.elapsedMs > 0);
    if (isLong || (progress.kind !== 'running' && !progress.isFirst))
      say(`${describeMigrationProgress(progress)}.`);
  };
