import type { Executor } from '../../client/executor.ts';
import { type MigrationProgress, type OnMigrationProgress, toldEveryMs } from './progress.ts';
import { lockTimeout, withoutTimeLimits, withTurn } from './session.ts';
import { requireRerunnable, runsOutsideTransaction, splitStatements } from './statements.ts';

/** Numbered SQL file. */
export type Migration = { readonly name: string; readonly sql: string; readonly checksum: string };

/** Schema to migrate, its migrations, and the subjects of its error messages. */
export type MigrationTarget = {
  /** Name of the schema, which is created when missing. It contains the table `migrations`. */
  readonly schema: string;
  /** The schema name, quoted for SQL. */
  readonly quotedSchema: string;
  readonly migrations: readonly Migration[];
  /** Arguments of the advisory lock. Only the process with the lock migrates. */
  readonly lock: { readonly sql: string; readonly values: readonly unknown[] };
  /** Subjects of error messages: "The database", "The migration". */
  readonly words: { readonly database: string; readonly migration: string };
  readonly onProgress?: OnMigrationProgress | undefined;
  /** Subscribes to the `raise notice` messages of the files; returns a function that unsubscribes. Default: no subscription. */
  readonly listenToNotices?: ((listener: (text: string) => void) => () => void) | undefined;
};

type Run = MigrationTarget & { readonly pending: readonly Migration[]; readonly isFirst: boolean };

/**
 * Applies all pending files in order while no other process does the same. Adjacent files share one transaction.
 *
 * A file with the head comment `-- svc: no-transaction` runs statement by statement outside a transaction, after the
 * preceding files were committed. It is recorded after its last statement. An interrupted file runs again from its
 * first statement, so it must be idempotent.
 *
 * @param client a single connection, outside any transaction. It has no time limits during the run.
 * @returns names of the files applied by this call.
 * @throws Error when an applied file was changed, or when a newer version wrote the schema.
 */
export async function runMigrations(client: Executor, target: MigrationTarget): Promise<string[]> {
  const tell = target.onProgress ?? (() => undefined);
  return withoutTimeLimits(client, () =>
    withTurn(client, target.lock, tellOfWait(target, tell), async () => {
      const { pending, isFirst } = await findPending(client, target);
      if (pending.length > 0)
        tell({ kind: 'pending', schema: target.schema, total: pending.length, isFirst });
      const run = { ...target, pending, isFirst };
      for (const group of grouped(pending)) {
        if (group.isOutside) await applyOutside(client, run, group.migrations);
        else await inTransaction(client, () => applyEach(client, run, group.migrations));
      }
      return pending.map(({ name }) => name);
    }),
  );
}

/** Reports the wait after one second and then every ten. */
function tellOfWait({ schema }: MigrationTarget, tell: OnMigrationProgress): (elapsedMs: number) => void {
  let nextMs = 1_000;
  return (elapsedMs) => {
    if (elapsedMs < nextMs) return;
    nextMs = elapsedMs + toldEveryMs;
    tell({ kind: 'waiting', schema, elapsedMs });
  };
}

async function findPending(
  client: Executor,
  { quotedSchema, migrations, words }: MigrationTarget,
): Promise<{ pending: Migration[]; isFirst: boolean }> {
  await client.query(`create schema if not exists ${quotedSchema}`, []);
  await client.query(
    `create table if not exists ${quotedSchema}.migrations (name text primary key, checksum text not null, applied_at timestamptz not null default now())`,
    [],
  );
  const { rows } = await client.query(`select name, checksum from ${quotedSchema}.migrations`, []);
  const applied = new Map(
    (rows as { name: string; checksum: string }[]).map(({ name, checksum }) => [name, checksum]),
  );
  const migrationNames = new Set(migrations.map(({ name }) => name));
  for (const name of applied.keys()) {
    if (!migrationNames.has(name))
      throw new Error(
        `${words.database} was written by a newer version: it holds the migration ${name}. Start that version instead.`,
      );
  }
  const pending = migrations.filter(({ name, checksum }) => {
    const recorded = applied.get(name);
    if (recorded !== undefined && recorded !== checksum)
      throw new Error(`${words.migration} ${name} was changed after it was applied. Restore the file.`);
    return recorded === undefined;
  });
  for (const { name, sql } of pending)
    if (runsOutsideTransaction(sql)) requireRerunnable(name, splitStatements(sql));
  return { pending, isFirst: applied.size === 0 };
}

/** Groups adjacent files that share a transaction, and adjacent files that run outside one. */
function grouped(pending: readonly Migration[]): { isOutside: boolean; migrations: Migration[] }[] {
  const groups: { isOutside: boolean; migrations: Migration[] }[] = [];
  for (const migration of pending) {
    const isOutside = runsOutsideTransaction(migration.sql);
    const last = groups.at(-1);
    if (last?.isOutside === isOutside) last.migrations.push(migration);
    else groups.push({ isOutside, migrations: [migration] });
  }
  return groups;
}

async function inTransaction(client: Executor, work: () => Promise<void>): Promise<void> {
  await client.query('begin', []);
  try {
    await client.query(`set local lock_timeout = '${lockTimeout}'`, []);
    await work();
    await client.query('commit', []);
  } catch (error) {
    await client.query('rollback', []).catch(() => undefined);
    throw error;
  }
}

async function applyEach(client: Executor, run: Run, migrations: readonly Migration[]): Promise<void> {
  for (const migration of migrations) {
    const watch = watched(run, migration);
    try {
      // Only the simple protocol accepts several statements in one text. `pg` uses it for queries without values.
      await client.query(migration.sql);
      await record(client, run, migration);
      watch.applied();
    } finally {
      watch.end();
    }
  }
}

async function applyOutside(client: Executor, run: Run, migrations: readonly Migration[]): Promise<void> {
  for (const migration of migrations) {
    const statements = splitStatements(migration.sql);
    const watch = watched(run, migration);
    try {
      for (const [index, statement] of statements.entries()) {
        watch.at({ position: index + 1, total: statements.length });
        await client.query(statement);
      }
      await record(client, run, migration);
      watch.applied();
    } finally {
      watch.end();
    }
  }
}

async function record(client: Executor, { quotedSchema }: Run, migration: Migration): Promise<void> {
  await client.query(`insert into ${quotedSchema}.migrations (name, checksum) values ($1, $2)`, [
    migration.name,
    migration.checksum,
  ]);
}

type Place = { readonly position: number; readonly total: number };

/** Reports the progress of one file: its begin, every ten seconds of its run, and its completion. */
function watched(
  run: Run,
  { name }: Migration,
): { at: (place: Place) => void; applied: () => void; end: () => void } {
  const startedAt = performance.now();
  const tell = run.onProgress ?? (() => undefined);
  let statement: Place | undefined;
  let note: string | undefined;
  const endListening = run.listenToNotices?.((text) => {
    note = text;
  });
  const say = (kind: 'running' | 'applied', elapsedMs: number): void => {
    const progress: MigrationProgress = {
      kind,
      schema: run.schema,
      name,
      elapsedMs,
      isFirst: run.isFirst,
      position: run.pending.findIndex((one) => one.name === name) + 1,
      total: run.pending.length,
      ...(statement && { statement }),
      ...(note !== undefined && { note }),
    };
    tell(progress);
  };
  say('running', 0);
  const timer = setInterval(() => say('running', performance.now() - startedAt), toldEveryMs);
  return {
    at: (place) => {
      statement = place;
    },
    applied: () => say('applied', performance.now() - startedAt),
    end: () => {
      clearInterval(timer);
      endListening?.();
    },
  };
}
