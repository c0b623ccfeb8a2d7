/** What a migration of a schema is doing; told as it happens. Times in ms. */
export type MigrationProgress = {
  /** Schema that is migrated. */
  readonly schema: string;
} & (
  | {
      /** Another process migrates; told after the first second and then every ten. */
      readonly kind: 'waiting';
      readonly elapsedMs: number;
    }
  | {
      /** There is something to apply. */
      readonly kind: 'pending';
      readonly total: number;
      /** True when the schema was empty. */
      readonly isFirst: boolean;
    }
  | {
      /** `running`: told when a file has begun, and then every ten seconds; `applied`: the file is through. */
      readonly kind: 'running' | 'applied';
      readonly name: string;
      /** Which of the pending files it is, from 1. */
      readonly position: number;
      readonly total: number;
      readonly elapsedMs: number;
      readonly isFirst: boolean;
      /** Which of the file's statements, for files that run outside a transaction. */
      readonly statement?: { readonly position: number; readonly total: number };
      /** What the file itself said last of how far it is, by `raise notice`. */
      readonly note?: string;
    }
);

/** Told of progress; it must not throw. */
export type OnMigrationProgress = (progress: MigrationProgress) => void;

/** How often a long wait or a long file is told of again. */
export const toldEveryMs = 10_000;
const msPerSecond = 1_000;

const seconds = (ms: number): string => `${(ms / msPerSecond).toFixed(1)} s`;

/** One sentence for a log or a terminal. */
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
