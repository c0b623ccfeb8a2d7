import { ConnectorError } from '../error.ts';
import { property } from '../http/json-property.ts';
import { bigqueryError, unreadableAnswer } from './errors.ts';
import { type BigQueryField, readSchema } from './schema.ts';

/** What the service says of a SELECT before it runs. */
export type DryRunAnswer = {
  readonly columns: readonly BigQueryField[];
  /** Bytes that the statement would scan, as far as the service can tell. */
  readonly scannedBytes: number;
};

/** Reads the job of a dry run (`jobs.insert`). Throws `ConnectorError`s, one for everything that is not a SELECT. */
export function readDryRun(job: unknown, sql: string): DryRunAnswer {
  const failure = bigqueryError(property(property(job, 'status'), 'errorResult'), sql);
  if (failure) throw failure;
  const query = property(property(job, 'statistics'), 'query');
  const statementType = property(query, 'statementType');
  if (typeof statementType !== 'string') throw unreadableAnswer();
  if (statementType !== 'SELECT')
    throw new ConnectorError(
      'not-a-read',
      'Only SELECT statements run here. BigQuery takes this one for another.',
    );
  const columns = readSchema(property(query, 'schema'));
  const bytes = property(query, 'totalBytesProcessed');
  if (!columns || typeof bytes !== 'string' || !/^\d{1,19}$/.test(bytes)) throw unreadableAnswer();
  return { columns, scannedBytes: Number(bytes) };
}
