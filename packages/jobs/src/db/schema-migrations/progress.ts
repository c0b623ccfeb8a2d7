/** Progress report of a schema migration. Times in ms. */
export type MigrationProgress = {
  readonly schema: string;
} & (
  | {
      /** Another process migrates. Reported after one second and then every ten. */
      readonly kind: 'waiting';
      readonly elapsedMs: number;
    }
  | {
      /** At least one migration is pending. */
      readonly kind: 'pending';
      readonly total: number;
      /** True when the schema was empty. */
      readonly isFirst: boolean;
    }
  | {
      /** `running`: reported when a file begins, and then every ten seconds. `applied`: reported when the file is complete. */
      readonly kind: 'running' | 'applied';
      readonly name: string;
      /** Position among the pending files, from 1. */
      readonly position: number;
      readonly total: number;
      readonly elapsedMs: number;
      readonly isFirst: boolean;
      /** Current statement, for files that run outside a transaction. */
      readonly statement?: { readonly position: number; readonly total: number };
      /** Last progress message of the file, sent with `raise notice`. */
      readonly note?: string;
    }
);

/** Receives progress reports. It must not throw. */
export type OnMigrationProgress = (progress: MigrationProgress) => void;

/** Interval between two reports of a long wait or a long file. */
export const toldEveryMs = 10_000;
const msPerSecond = 1_000;

const seconds = (ms: number): string => `${(ms / msPerSecond).toFixed(1)} s`;

/** Returns a progress report as one sentence for a log or a terminal. */
export function describeMigrationProgress(progress: MigrationProgress): string {
  const { schema } = progress;
  if (progress.kind === 'waiting')
    return `Schema ${schema}: waiting for another process that migrates it, for ${seconds(progress.elapsedMs)}`;
  if (progress.kind === 'pending')
    return progress.isFirst
      ? `Schema ${schema}: making it from ${progress.total} migrations`
      : `Schema ${schema}: ${progress.total} migrations to apply`;
  const file = `Schema ${schema}: ${progress.name} (${progress.position} of ${progress.total})`;
  if (progress.kind === 'applied') return `${file} applied in ${seconds(progress.elapsedMs)}`;
  const { statement, note } = progress;
  const where = statement ? `, statement ${statement.position} of ${statement.total}` : '';
  return progress.elapsedMs === 0
    ? `${file} begins`
    : `${file}${where} runs for ${seconds(progress.elapsedMs)}${note === undefined ? '' : `: ${note}`}`;
}
