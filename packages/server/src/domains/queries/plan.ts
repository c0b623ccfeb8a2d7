import { escapedPlaceholderEnd, placeholderEnd } from '@svc/connectors';
import type { QueryParameter } from '@svc/contract';
import type { ParameterDeclaration, RunRequest } from '../../gateways/run-sql/index.ts';
import type { Executor } from '../../platform/db/index.ts';
import { type OpenDataSource, targetOf } from '../data-sources/index.ts';
import { findQuery, type QueryRow, unlinkedSources } from './store.ts';

/** Opens data sources for the run-SQL gateway, with decrypted connections. Does not check rights. */
export type OpenDataSources = (
  executor: Executor,
  ids: readonly number[],
) => Promise<readonly OpenDataSource[]>;

/** Query that is ready for the run-SQL gateway. */
export type QueryRunPlan = {
  readonly request: Pick<RunRequest, 'steps' | 'finalQuery'>;
  readonly parameters: readonly ParameterDeclaration[];
  readonly dataSourceIds: readonly number[];
  readonly dataSourceNames: readonly string[];
  /** SQL in its original form, for messages that show it. */
  readonly queryText: string;
};

/** Saved query that is ready to run, with its version. */
export type SavedQueryPlan = QueryRunPlan & {
  readonly versionId: number | null;
  readonly versionNumber: number | null;
};

/** Executable fields of a saved query or a draft. */
export type RunnableQuery = Pick<QueryRow, 'projectId' | 'finalQuery' | 'parameters'> & {
  readonly steps: readonly {
    readonly order: number;
    readonly name: string | null;
    readonly dataSourceId: number;
    readonly sql: string;
  }[];
};

/** Converts parameters to the form of the run-SQL gateway. */
export const declarationsOf = (parameters: readonly QueryParameter[]): ParameterDeclaration[] =>
  parameters.map(({ name, type, defaultValue, isRequired }) => ({
    name,
    type,
    ...(defaultValue !== undefined && defaultValue !== null && { defaultValue }),
    isRequired: isRequired ?? true,
  }));

/**
 * Returns the names of the placeholders in a statement. Placeholders in comments and quotes count, escaped ones do not.
 */
export function placeholderNames(sql: string): ReadonlySet<string> {
  const names = new Set<string>();
  let at = sql.indexOf('{{');
  while (at !== -1) {
    const escapeEnd = escapedPlaceholderEnd(sql, at);
    const end = escapeEnd === undefined ? placeholderEnd(sql, at) : undefined;
    if (end !== undefined) names.add(sql.slice(at + 2, end - 2).trim());
    at = sql.indexOf('{{', escapeEnd ?? at + 1);
  }
  return names;
}

/**
 * Opens the query's data sources. Returns `SourceNotLinked` when one of them is no longer linked to the query's
 * project.
 */
export async function planOf(
  executor: Executor,
  query: RunnableQuery,
  openDataSources: OpenDataSources,
): Promise<QueryRunPlan | 'SourceNotLinked'> {
  const ids = [...new Set(query.steps.map((step) => step.dataSourceId))];
  const unlinked = await unlinkedSources(executor, query.projectId, ids);
  if (unlinked.length > 0) return 'SourceNotLinked';
  const opened = new Map((await openDataSources(executor, ids)).map((source) => [source.id, source]));
  const steps = query.steps.map((step) => {
    const source = opened.get(step.dataSourceId);
    if (!source) throw new Error(`The data source ${step.dataSourceId} is linked but could not be opened.`);
    return {
      order: step.order,
      name: step.name,
      dataSource: targetOf(source),
      sql: step.sql,
    };
  });
  const texts = query.steps.map((step) => step.sql);
  return {
    request: { steps, finalQuery: query.finalQuery },
    parameters: declarationsOf(query.parameters),
    dataSourceIds: ids,
    dataSourceNames: ids.flatMap((id) => opened.get(id)?.name ?? []),
    queryText: [...texts, ...(query.finalQuery ? [query.finalQuery] : [])].join(';\n\n'),
  };
}

/** Plans a saved query, without a check of rights. Returns the reason when the query cannot run. */
export async function planSavedQuery(
  executor: Executor,
  queryId: number,
  openDataSources: OpenDataSources,
): Promise<SavedQueryPlan | 'QueryGone' | 'QueryNotApproved' | 'SourceNotLinked'> {
  const query = await findQuery(executor, queryId);
  if (!query) return 'QueryGone';
  if (query.activeVersionId === null) return 'QueryNotApproved';
  // One statement read definition and version, so the run reports the version that it executes.
  const plan = await planOf(executor, query, openDataSources);
  return typeof plan === 'string'
    ? plan
    : { ...plan, versionId: query.activeVersionId, versionNumber: query.versionNumber };
}
