import { readOwn } from '../../thinking/own.ts';
import { type ApplyAction, lockOwnQuery, stalePlan } from './context.ts';

export const applyRefineQuery: ApplyAction<'RefineQuery'> = async ({ queries }, tx, action, context) => {
  const { actor, by, isApproved } = context;
  const ownQueries = await readOwn(tx, actor.id);
  const query = await lockOwnQuery(tx, ownQueries, action.queryId);
  if (ownQueries.find(({ id }) => id === query.id)?.isEdited !== false) throw stalePlan();
  const { name, finalQuery, parameters } = query;
  const { description, sql, reasoning: changeReason } = action;
  // The step retains its key: it is the same step with another statement.
  const [step] = query.steps;
  const { dataSourceId } = actor;
  const steps = [{ dataSourceId, sql, ...(step && { key: step.key, name: step.name }) }];
  await queries.updateIn(
    tx,
    by,
    query.id,
    { name, description, finalQuery, parameters, steps, changeReason },
    { source: 'AiActor', isApproved, expectedVersion: undefined },
  );
  return { queryId: query.id };
};
