import { describeMigrationProgress, type MigrationProgress, type OnMigrationProgress } from '@svc/jobs';
import type { Logger } from '../../platform/log/index.ts';

/**
 * Logs the progress of migrations. A wait for another process is a warning, so that it is visible at every usual
 * level.
 */
export const migrationLog =
  (log: Logger): OnMigrationProgress =>
  (progress) => {
    log[levelOf(progress)]({ migration: progress }, describeMigrationProgress(progress));
  };

const levelOf = (progress: MigrationProgress): 'info' | 'warn' =>
  progress.kind === 'waiting' || (progress.kind === 'running' && progress.elapsedMs > 0) ? 'warn' : 'info';
