import { describeMigrationProgress, type OnMigrationProgress } from '@svc/server';

/**
 * Prints what an upgrade of the schema is doing, for whoever waits for the service to come up. A schema that is made
 * from nothing takes a moment and is silent, unless it takes long.
 */
export const tellOfMigrations =
  (say: (line: string) => void): OnMigrationProgress =>
  (progress) => {
    const isLong = progress.kind === 'waiting' || (progress.kind === 'running' && progress.elapsedMs > 0);
    if (isLong || (progress.kind !== 'running' && !progress.isFirst))
      say(`${describeMigrationProgress(progress)}.`);
  };
