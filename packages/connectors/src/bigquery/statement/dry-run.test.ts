import { describe, expect, it } from 'vitest';
import { readDryRun } from './dry-run.ts';

const schema = { fields: [{ name: 'id', type: 'INTEGER' }] };

const jobOf = (query: object) => ({
  kind: 'bigquery#job',
  configuration: { jobType: 'QUERY', dryRun: true },
  status: { state: 'DONE' },
  statistics: { totalBytesProcessed: '10', query: { totalBytesProcessed: '10', schema, ...query } },
});

describe('dry runs of BigQuery', () => {
  it('return the columns and the bytes of a SELECT', () => {
    expect(readDryRun(jobOf({ statementType: 'SELECT', totalBytesProcessed: '12884901888' }), '')).toEqual({
      columns: [{ name: 'id', type: 'INT64', isRepeated: false, fields: [] }],
      scannedBytes: 12_884_901_888,
      accuracy: 'unknown',
      tables: [],
      routines: [],
    });
  });

  it.each([
    'INSERT',
    'UPDATE',
    'DELETE',
    'MERGE',
    'SCRIPT',
    'CALL',
    'CREATE_TABLE_AS_SELECT',
    'EXPORT_DATA',
    'select',
    '',
  ])('refuse the statement type %j', (statementType) => {
    expect(() => readDryRun(jobOf({ statementType }), '')).toThrow(
      expect.objectContaining({ code: 'not-a-read' }),
    );
  });

  it.each([
    undefined,
    {},
    jobOf({}),
    jobOf({ statementType: 'SELECT', schema: undefined }),
    jobOf({ statementType: 'SELECT', totalBytesProcessed: 10 }),
    jobOf({ statementType: 'SELECT', totalBytesProcessed: '-1' }),
  ])('refuse the invalid response %j', (job) => {
    expect(() => readDryRun(job, '')).toThrow(expect.objectContaining({ code: 'connection-lost' }));
  });

  it('report an error of the service before they check the rest of the response', () => {
    const job = {
      ...jobOf({ statementType: 'SELECT' }),
      status: { state: 'DONE', errorResult: { reason: 'invalidQuery', message: 'No such name at [1:8]' } },
    };
    expect(() => readDryRun(job, 'SELECT x')).toThrow(
      expect.objectContaining({ code: 'statement-failed', position: { offset: 7, line: 1, column: 8 } }),
    );
  });
});
