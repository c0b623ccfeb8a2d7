import type pg from 'pg';
import { withMigrationConnection } from '../platform/db/index.ts';
import { type MigrationVerdict, readVerdicts, stopReasonOf } from './migration-verdicts.ts';
import { type KnownSchema, knownSchemas } from './schemas.ts';

/** Effect of a start of this version on the schemas of a database. */
export type MigrationPlan = {
  /**
   * Verdict.
   *
   * - `UpToDate`: no pending file.
   * - `MayRoll`: files are pending, and a trial has shown that the previous version runs on the result. Replicas
   * may be replaced one by one.
   * - `MustStop`: no trial has shown that. Every process must stop first.
   * - `Newer`: a newer version has written the database; this one does not start.
   * - `Changed`: a file differs from the applied one.
   */
  readonly verdict: 'UpToDate' | 'MayRoll' | 'MustStop' | 'Newer' | 'Changed';
  readonly schemas: readonly SchemaPlan[];
};

export type SchemaPlan = {
  readonly schema: string;
  /** True if no file was applied yet: the schema is new. */
  readonly isFirst: boolean;
  readonly pending: readonly PendingFile[];
  /** Applied files that this version does not have. */
  readonly unknown: readonly string[];
  /** Applied files whose text differs in this version. */
  readonly changed: readonly string[];
};

export type PendingFile = {
  readonly name: string;
  /** True if the file runs statement by statement, outside a transaction. */
  readonly isOutsideTransaction: boolean;
  /** Reason why the previous version must stop for the file. Null if a trial has shown that it runs on the result. */
  readonly stopsBecause: string | null;
};

const outsideTransaction = /^-- svc: no-transaction\b/m;

/**
 * Compares the files of this version with the applied files of a database. Reads only.
 *
 * @throws Error of PostgreSQL when the database cannot be reached.
 */
export const planMigrations = (
  connection: pg.ClientConfig,
  schemas: readonly KnownSchema[] = knownSchemas(),
  verdicts: readonly MigrationVerdict[] = readVerdicts(),
): Promise<MigrationPlan> =>
  withMigrationConnection(connection, async (client) => {
    const plans: SchemaPlan[] = [];
    for (const schema of schemas) plans.push(await planOf(client, schema, verdicts));
    return { verdict: verdictOf(plans), schemas: plans };
  });

/** Returns names and checksums of the applied files of a schema; empty without the schema. */
export async function appliedFiles(client: pg.ClientBase, schema: string): Promise<Map<string, string>> {
  const table = `${schema}.migrations`;
  const { rows: tableRows } = await client.query('select to_regclass($1) is not null as "isThere"', [table]);
  if (!tableRows[0].isThere) return new Map();
  const { rows } = await client.query<{ name: string; checksum: string }>(
    `select name, checksum from ${table} order by name`,
  );
  return new Map(rows.map(({ name, checksum }) => [name, checksum]));
}

async function planOf(
  client: pg.ClientBase,
  { name: schema, migrations }: KnownSchema,
  verdicts: readonly MigrationVerdict[],
): Promise<SchemaPlan> {
  const applied = await appliedFiles(client, schema);
  const checksums = new Map(migrations.map((file) => [file.name, file.checksum]));
  return {
    schema,
    isFirst: applied.size === 0,
    pending: migrations
      .filter(({ name }) => !applied.has(name))
      .map((file) => ({
        name: file.name,
        isOutsideTransaction: outsideTransaction.test(file.sql),
        stopsBecause: stopReasonOf(verdicts, schema, file),
      })),
    unknown: [...applied.keys()].filter((name) => !checksums.has(name)),
    changed: [...applied].flatMap(([name, checksum]) =>
      (checksums.get(name) ?? checksum) === checksum ? [] : [name],
    ),
  };
}

function verdictOf(plans: readonly SchemaPlan[]): MigrationPlan['verdict'] {
  if (plans.some(({ unknown }) => unknown.length > 0)) return 'Newer';
  if (plans.some(({ changed }) => changed.length > 0)) return 'Changed';
  const upgrades = plans.filter(({ isFirst }) => !isFirst).flatMap(({ pending }) => pending);
  if (upgrades.some(({ stopsBecause }) => stopsBecause !== null)) return 'MustStop';
  return plans.some(({ pending }) => pending.length > 0) ? 'MayRoll' : 'UpToDate';
}
