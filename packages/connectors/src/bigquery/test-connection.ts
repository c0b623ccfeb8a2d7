import { ConnectorError } from '../error.ts';
import type { CallOptions, ConnectionTest } from '../port.ts';
import type { Account } from './api.ts';
import { startRead } from './execute.ts';
import { openSession } from './session.ts';
import { checkByDryRun } from './statement/dry-run.ts';

const limits = { maxRows: 1, maxBytes: 65_536, maxCellBytes: 1_024, keepsSession: true };
/** Reads no table, so it costs nothing. */
const statement = { sql: 'SELECT 1' };

/** Signs in and runs a statement in the same way as a run. Checks that the default dataset exists, if one is set. */
export async function testBigQueryConnection(
  account: Account,
  options: CallOptions,
): Promise<ConnectionTest> {
  const { project, dataset } = account.connection;
  try {
    const session = await openSession(account, options);
    try {
      if (dataset !== '')
        await session
          .ask({ access: 'read', path: `datasets/${encodeURIComponent(dataset)}` })
          .catch((error: unknown) => Promise.reject(asNoDataset(error)));
      await checkByDryRun(session, statement);
      for await (const _batch of (await startRead(session, statement, limits)).batches);
    } catch (error) {
      throw session.explain(error);
    } finally {
      await session.end();
    }
    return { isOk: true, serverVersion: `BigQuery, project ${project}`, warnings: [] };
  } catch (error) {
    if (error instanceof ConnectorError) return { isOk: false, error };
    throw error;
  }
}

const asNoDataset = (error: unknown): unknown =>
  error instanceof ConnectorError && error.engineCode === 'notFound'
    ? new ConnectorError('database-not-found', error.message, { engineCode: 'notFound' })
    : error;
