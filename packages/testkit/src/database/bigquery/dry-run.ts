import { hugeBytes, isHuge } from './query-jobs.ts';
import type { QueryBody, QueryResult, ServiceCall } from './service-call.ts';

/**
 * Answers `jobs.insert`, which clients use only for dry runs.
 *
 * @param typeOf returns the statement type to report.
 * @param resultOf returns the result of a SELECT, for its columns.
 */
export function dryRun(
  project: string,
  call: ServiceCall,
  typeOf: (sql: string) => string,
  resultOf: (query: QueryBody, location: string | undefined) => QueryResult,
): object {
  const { configuration, jobReference } = call.body as {
    configuration: { query: QueryBody };
    jobReference?: { location?: string };
  };
  const { query } = configuration;
  const type = typeOf(query.query);
  const result = type === 'SELECT' ? resultOf(query, jobReference?.location) : undefined;
  const scanned = String(isHuge(query.query) ? hugeBytes : 1_024);
  const routineIds = [...query.query.matchAll(/\bshop\.(\w+)\(/g)].map(([, name = '']) => name);
  const tables = [...query.query.matchAll(/(?:from|join)\s+`?(shop)`?\.`?(\w+)`?/gi)];
  return {
    kind: 'bigquery#job',
    jobReference: { projectId: project, ...jobReference },
    configuration: { jobType: 'QUERY', dryRun: true },
    status: { state: 'DONE' },
    statistics: {
      totalBytesProcessed: scanned,
      query: {
        statementType: type,
        totalBytesProcessed: scanned,
        totalBytesProcessedAccuracy: 'PRECISE',
        ...(result && { schema: { fields: result.fields } }),
        referencedTables: tables.map(([, datasetId = '', tableId = '']) => ({
          projectId: project,
          datasetId,
          tableId,
        })),
        ...(routineIds.length > 0 && {
          referencedRoutines: routineIds.map((routineId) => ({
            projectId: project,
            datasetId: 'shop',
            routineId,
          })),
        }),
      },
    },
  };
}
