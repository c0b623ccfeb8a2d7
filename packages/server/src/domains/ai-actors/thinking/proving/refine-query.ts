import { type ProveAction, refusal, trimmed } from './context.ts';
import { comparableSql, proveStatement, refuseDuplicate, requireOwnQuery } from './queries.ts';

export const proveRefineQuery: ProveAction<'RefineQuery'> = async (deps, action, context) => {
  const { dialect, earlier } = context;
  const query = requireOwnQuery(context, action.queryId);
  const sql = trimmed(action.sql);
  if (query.isEdited) throw refusal(`A person has edited the query "${query.name}" since.`);
  if (sql === '') throw refusal('A refined query needs a statement.');
  if (earlier.some(({ definition: d }) => d.type === 'RefineQuery' && d.queryId === query.id))
    throw refusal('Another action refines this query.');
  if (comparableSql(sql, dialect) === comparableSql(query.sql, dialect))
    throw refusal('The query says this already.');
  refuseDuplicate(context, sql, query.name);
  const sample = await proveStatement(deps, context, sql);
  const description = trimmed(action.description) || query.description;
  const { id: queryId, name: queryName, sql: currentSql } = query;
  return { definition: { type: 'RefineQuery', queryId, queryName, description, sql, currentSql }, sample };
};
