import { plural } from '@svc/contract';
import { conflict } from '../../../../platform/http/index.ts';
import { readOwn } from '../../thinking/own.ts';
import type { ApplyAction } from './context.ts';

export const applyCreateQuery: ApplyAction<'CreateQuery'> = async ({ queries }, tx, action, context) => {
  const { id, maxQueries, projectId, dataSourceId } = context.actor;
  if ((await readOwn(tx, id)).length >= maxQueries)
    throw conflict(
      'actor-limit-reached',
      `The actor has ${plural(maxQueries, 'query', 'queries')}, which is all that it may have.`,
    );
  const { name, description, sql } = action;
  const { query } = await queries.createIn(
    tx,
    context.by,
    { projectId, name, description, steps: [{ dataSourceId, sql }] },
    { source: 'AiActor', isApproved: context.isApproved },
  );
  context.createdQueries.set(name.toLowerCase(), query.id);
  return { queryId: query.id };
};
