import { ConnectorError } from '../../error.ts';
import { property } from '../../http/json/json-property.ts';
import type { Statement } from '../../port.ts';
import { type BigQueryField, readSchema } from '../answer/schema.ts';
import { bigqueryError, unreadableAnswer } from '../errors.ts';
import type { Session } from '../session.ts';
import { callsOfRoutines } from './rules.ts';

/** Function of a dataset that a statement calls. */
export type Routine = { readonly projectId: string; readonly datasetId: string; readonly routineId: string };

/** Facts that the service reports about a SELECT before it runs. */
export type DryRunAnswer = {
  readonly columns: readonly BigQueryField[];
  /** Bytes that the statement would scan. `accuracy` states how exact this number is. */
  readonly scannedBytes: number;
  readonly accuracy: 'exact' | 'at-least' | 'at-most' | 'unknown';
  /** Names as `dataset.table`, without the project. */
  readonly tables: readonly string[];
  readonly routines: readonly Routine[];
};

const accuracies = new Map<unknown, DryRunAnswer['accuracy']>([
  ['PRECISE', 'exact'],
  ['LOWER_BOUND', 'at-least'],
  ['UPPER_BOUND', 'at-most'],
]);

/**
 * Reads the job of a dry run (`jobs.insert`). Throws a `ConnectorError` for each statement that is not a SELECT.
 *
 * @param secrets  texts that no message may repeat
 */
export function readDryRun(job: unknown, sql: string, secrets: readonly string[] = []): DryRunAnswer {
  const failure = bigqueryError(property(property(job, 'status'), 'errorResult'), sql, secrets);
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
  return {
    columns,
    scannedBytes: Number(bytes),
    accuracy: accuracies.get(property(query, 'totalBytesProcessedAccuracy')) ?? 'unknown',
    tables: readTables(query),
    routines: listOf(query, 'referencedRoutines').map(readRoutine),
  };
}

const listOf = (holder: unknown, name: string): readonly unknown[] => {
  const list = property(holder, name) ?? [];
  if (!Array.isArray(list)) throw unreadableAnswer();
  return list;
};

const nameForm = /^[\w:.$-]{1,1024}$/;

function nameIn(holder: unknown, name: string): string {
  const value = property(holder, name);
  if (typeof value !== 'string' || !nameForm.test(value)) throw unreadableAnswer();
  return value;
}

const readRoutine = (routine: unknown): Routine => ({
  projectId: nameIn(routine, 'projectId'),
  datasetId: nameIn(routine, 'datasetId'),
  routineId: nameIn(routine, 'routineId'),
});

const tablesMax = 50;

/** Accepts any name: table names may contain characters that addresses refuse, and these names are only displayed. */
function readTables(query: unknown): string[] {
  return listOf(query, 'referencedTables')
    .slice(0, tablesMax)
    .flatMap((table) => {
      const [dataset, name] = [property(table, 'datasetId'), property(table, 'tableId')];
      return typeof dataset === 'string' && typeof name === 'string' ? [`${dataset}.${name}`] : [];
    });
}

const routinesMax = 10;

/**
 * Runs a dry run of a statement whose text has passed the gate. Refuses the statement unless it is a SELECT and each
 * function of a dataset that it calls runs within BigQuery.
 */
export async function checkByDryRun(session: Session, statement: Statement): Promise<DryRunAnswer> {
  const answer = readDryRun(await session.dryRun(statement), statement.sql, session.secrets());
  const { routines } = answer;
  if (routines.length === 0 && callsOfRoutines(statement.sql) > 0)
    throw refused('BigQuery does not tell which function of a dataset is called.');
  if (routines.length > routinesMax)
    throw refused(`A statement may call ${routinesMax} functions of datasets at most.`);
  for (const routine of routines) await assertLocal(session, routine);
  return answer;
}

const refused = (message: string): ConnectorError => new ConnectorError('function-refused', message);

/** Refuses functions that can send their arguments to another service: remote functions, and functions in Python. */
async function assertLocal(session: Session, { projectId, datasetId, routineId }: Routine): Promise<void> {
  const { project } = session.account.connection;
  const name = `${datasetId}.${routineId}`;
  if (projectId !== project) throw refused(`The function ${name} of another project is not available here.`);
  const path = `datasets/${encodeURIComponent(datasetId)}/routines/${encodeURIComponent(routineId)}`;
  const routine = await session.ask({ access: 'read', path });
  const language = property(routine, 'language');
  const isLocal = language === undefined || language === 'SQL' || language === 'JAVASCRIPT';
  if (!isLocal || property(routine, 'remoteFunctionOptions') !== undefined)
    throw refused(`The function ${name} runs outside of BigQuery and is not available here.`);
}
