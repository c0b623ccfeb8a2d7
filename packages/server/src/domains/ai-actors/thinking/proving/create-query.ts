import { plural } from '@svc/contract';
import { type ProveAction, refusal, trimmed } from './context.ts';
import { newQueriesOf, proveStatement, refuseDuplicate } from './queries.ts';

export const proveCreateQuery: ProveAction<'CreateQuery'> = async (deps, action, context) => {
  const { maxQueries } = context.actor;
  const newQueries = newQueriesOf(context);
  const name = trimmed(action.queryName);
  const sql = trimmed(action.sql);
  if (name === '' || sql === '') throw refusal('A new query needs a name and a statement.');
  if (context.own.length + newQueries.length >= maxQueries)
    throw refusal(`The actor may have ${plural(maxQueries, 'query', 'queries')}.`);
  const isTaken = [...context.existing, ...newQueries].some(
    (other) => other.name.toLowerCase() === name.toLowerCase(),
  );
  if (isTaken) throw refusal(`The project has a query named "${name}".`);
  refuseDuplicate(context, sql);
  const sample = await proveStatement(deps, context, sql);
  const description = trimmed(action.description) || null;
  return { definition: { type: 'CreateQuery', name, description, sql }, sample };
};
