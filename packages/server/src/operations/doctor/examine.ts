import { openClient } from '@svc/jobs';
import type pg from 'pg';
import { halfRestored, isHalfRestored } from '../../platform/db/index.ts';
import { holdsKeys } from '../keys.ts';
import { type MigrationPlan, planMigrations } from '../migration-plan.ts';
import { whyNotTrusted } from './certificates.ts';
import { type Finding, fault, warning, well } from './finding.ts';
import { lookAtProvisioning } from './provisioning.ts';
import { lookAtServer, lookAtSession, lookAtStartup } from './session.ts';
import { lookAtStandby } from './standby.ts';
import { checkJobs, checkKey, type RelationSize, sizesOf } from './work.ts';

/** Results of the doctor's checks of the metadata database. */
export type Examination = {
  readonly findings: readonly Finding[];
  /** Undefined if the database is unreachable. */
  readonly sizes?: { readonly bytes: number; readonly largest: readonly RelationSize[] };
  readonly plan?: MigrationPlan;
};

const connectTimeoutMs = 10_000;
/** Long enough to read table sizes and job counts from a large database. */
const answerTimeoutMs = 30_000;

async function openForLook(connection: pg.ClientConfig): Promise<pg.Client> {
  const client = openClient({
    ...connection,
    connectionTimeoutMillis: connectTimeoutMs,
    answerTimeoutMs,
    application_name: 'svc doctor',
  });
  await client.connect();
  return client;
}

/** Checks the requirements of a start: the server, the privileges of the role, and that a connection is one session. */
async function lookAtServerAndSession(
  client: pg.ClientBase,
  connection: pg.ClientConfig,
): Promise<readonly Finding[]> {
  return [
    ...(await lookAtServer(client)),
    ...(await lookAtSession(() => openForLook(connection))),
    await lookAtStartup((settings) => openForLook({ ...connection, ...settings })),
  ];
}

/**
 * Checks the metadata database like `doctor`, but only the requirements of a start. Changes nothing.
 *
 * @throws Error of PostgreSQL when the database cannot be reached.
 */
export async function examineSessions(connection: pg.ClientConfig): Promise<readonly Finding[]> {
  const client = await openForLook(connection);
  try {
    return await lookAtServerAndSession(client, connection);
  } finally {
    await client.end();
  }
}

/** Input of an examination. */
export type Looked = {
  readonly connection: pg.ClientConfig;
  /** The read replica, if configured. */
  readonly readConnection?: pg.ClientConfig;
  /** Keys that a start would have, the newest first. */
  readonly keys: readonly string[];
};

/**
 * Checks the metadata database from outside the service: its server, sessions, schemas, key and jobs. Changes
 * nothing.
 */
export async function examineDatabase({ connection, readConnection, keys }: Looked): Promise<Examination> {
  let client: pg.Client;
  try {
    client = await openForLook(connection);
  } catch (error) {
    return { findings: [ofConnection(error)] };
  }
  try {
    const plan = await planMigrations(connection);
    return {
      findings: [
        ...(await lookAtServerAndSession(client, connection)),
        ...(readConnection ? [await lookAtStandby(client, () => openForLook(readConnection))] : []),
        (await isHalfRestored(client))
          ? fault('Schema', halfRestored.text, halfRestored.remedy)
          : ofPlan(plan),
        await ofKey(client, keys),
        ...(await checkJobs(client)),
        ...(await lookAtProvisioning(client)),
      ],
      sizes: await sizesOf(client),
      plan,
    };
  } finally {
    await client.end();
  }
}

function ofConnection(error: unknown): Finding {
  const untrusted = whyNotTrusted(error);
  return untrusted === undefined
    ? fault(
        'PostgreSQL',
        `No connection: ${(error as Error).message}.`,
        'Look at Svc:Database:ConnectionString, at the server, and at pg_hba.conf.',
      )
    : fault(
        'PostgreSQL',
        `The certificate of the server is not trusted: ${untrusted}.`,
        'Have it renewed for the name that is connected to, or name its authority by sslrootcert of Svc:Database:ConnectionString; look at the clock of this machine as well.',
      );
}

function ofPlan({ verdict, schemas }: MigrationPlan): Finding {
  const pending = schemas.reduce((sum, schema) => sum + schema.pending.length, 0);
  const plan = 'See: npm run svc -- migrate --plan';
  switch (verdict) {
    case 'UpToDate':
      return well('Schema', 'The database is up to date.');
    case 'MayRoll':
      return warning(
        'Schema',
        `${pending} migrations are not applied yet.`,
        `The next start applies them. ${plan}`,
      );
    case 'MustStop':
      return warning('Schema', `${pending} migrations are not applied yet, and need a stop.`, plan);
    case 'Newer':
      return fault('Schema', 'A newer version has written the database.', 'Start that version.');
    case 'Changed':
      return fault(
        'Schema',
        'Migrations were changed after they were applied.',
        `Restore the files. ${plan}`,
      );
  }
}

async function ofKey(client: pg.ClientBase, keys: readonly string[]): Promise<Finding> {
  const { rows: tableRows } = await client.query(
    `select to_regclass('svc.encryption_key_checks') is not null as "isThere"`,
  );
  const { rows } = tableRows[0].isThere
    ? await client.query<{ id: string }>('select key_id as id from svc.encryption_key_checks')
    : { rows: [] };
  const ids = rows.map(({ id }) => id);
  return checkKey(ids, holdsKeys(ids, keys));
}
