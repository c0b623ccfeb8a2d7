import { describeMigrationProgress, type MigrationProgress, type OnMigrationProgress } from '@svc/jobs';
import type { Logger } from '../platform/log/index.ts';

/** Writes progress into the log; what makes somebody wait is a warning, so that it shows at any usual level. */
export const migrationLog =
  (log: Logger): OnMigrationProgress =>
  (progress) => {
    log[levelOf(progress)]({ migration: progress }, describeMigrationProgress(progress));
  };

const levelOf = (progress: MigrationProgress): 'info' | 'warn' =>
  progress.kind === 'waiting' || (progress.kind === 'running' && progress.elapsedMs > 0) ? 'warn' : 'info';
