import { readSqlTokens, type SqlDialect, tokenText } from '@svc/connectors';
import type { Sample } from '../actions.ts';
import type { OwnQuery } from '../own.ts';
import { type ProofContext, type ProveDeps, refusal } from './context.ts';

const sampleRowsMax = 10;

/** Returns the queries that earlier actions of the same answer create. */
export const newQueriesOf = ({ earlier }: Pick<ProofContext, 'earlier'>) =>
  earlier.flatMap(({ definition }) => (definition.type === 'CreateQuery' ? [definition] : []));

/** Returns an unlocked query of the actor. */
export function requireOwnQuery({ own }: ProofContext, id: number | null): OwnQuery {
  const query = own.find((one) => one.id === id);
  if (!query) throw refusal('The query is none of the actor.');
  if (query.isLocked) throw refusal(`The query "${query.name}" is locked.`);
  return query;
}

/** Normalises a statement for comparison: without comments, spacing, case and semicolons. */
export const comparableSql = (sql: string, dialect: SqlDialect): string =>
  readSqlTokens(sql, dialect)
    .filter(({ kind }) => kind !== 'comment')
    .map((token) => tokenText(sql, token).toLowerCase())
    .filter((text) => text.trim() !== '' && text !== ';')
    .join(' ');

/** Refuses a statement that another query of the project has, except the query of the given name. */
export function refuseDuplicate(context: ProofContext, sql: string, exceptName?: string): void {
  const { dialect, existing } = context;
  const text = comparableSql(sql, dialect);
  const others = [...existing, ...newQueriesOf(context)].filter(({ name }) => name !== exceptName);
  const twin = others.find((other) => other.sql !== '' && comparableSql(other.sql, dialect) === text);
  if (twin) throw refusal(`The query "${twin.name}" says this already.`);
}

/** Checks and runs a statement. Returns masked rows of its result. */
export async function proveStatement(
  deps: Pick<ProveDeps, 'check' | 'run'>,
  { actor, call }: ProofContext,
  sql: string,
): Promise<Sample> {
  const { projectId, dataSourceId } = actor;
  const verdict = await deps.check({ dataSourceId, sql }, call);
  if (verdict.verdict !== 'Passed') throw refusal(verdict.message || 'The statement could not be checked.');
  const result = await deps.run({ projectId, dataSourceId, sql, rowsMax: sampleRowsMax }, call);
  if (result.kind === 'Refused') throw refusal(result.message);
  const { columns, rows, truncatedBy } = result;
  return { columns: columns.map(({ name }) => name), rows, isTruncated: truncatedBy !== null };
}
