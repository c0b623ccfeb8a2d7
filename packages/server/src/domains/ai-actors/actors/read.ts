import type { AiActor, AiActorState, AiActorSummary, AiThink, ListQuery, Page } from '@svc/contract';
import type { Caller } from '../../../platform/access/index.ts';
import type { Executor } from '../../../platform/db/index.ts';
import { pageOf, pageRequest } from '../../../platform/http/index.ts';
import { mayManage } from '../access.ts';
import { presentActor, presentSummary } from '../present.ts';
import * as store from '../store.ts';
import { presentThink } from '../thinking/present.ts';
import { listThinks } from '../thinking/store.ts';
import { requireActor } from './access.ts';
import type { AiActorsDeps } from './deps.ts';

type ActorQuery = ListQuery & {
  readonly search?: string;
  readonly projectId?: number;
  readonly dataSourceId?: number;
  readonly state?: AiActorState;
};

/** Returns an actor with its settings, its queries and its next think. */
export async function readActor(
  deps: Pick<AiActorsDeps, 'rights' | 'schedules'>,
  executor: Executor,
  caller: Caller,
  id: number,
): Promise<AiActor> {
  const { actor, right } = await requireActor(deps, executor, caller, id);
  const { thinkSchedule, timeZone, state } = actor;
  const schedule =
    thinkSchedule === null ? null : deps.schedules.present(thinkSchedule, timeZone, state === 'Active');
  return presentActor(actor, {
    queries: await store.queriesOfActor(executor, id),
    nextThinkAt: schedule?.nextTimes[0] ?? null,
    canManage: mayManage(caller, actor, right),
  });
}

export const createListActors =
  ({ database, rights }: Pick<AiActorsDeps, 'database' | 'rights'>) =>
  async (caller: Caller, query: ActorQuery): Promise<Page<AiActorSummary>> => {
    const page = pageRequest(query, {
      sortable: store.actorSortable,
      byDefault: '-createdTime',
      unique: 'a.id',
    });
    const { search, projectId = null, dataSourceId = null, state = null } = query;
    const readable = await rights.readableIds(database, caller);
    const filter = { search: search || null, projectId, dataSourceId, state };
    const { rows, totalCount } = await store.listActors(database, readable, filter, page);
    return pageOf(rows.map(presentSummary), totalCount, page);
  };

export const createListThinks =
  (deps: Pick<AiActorsDeps, 'database' | 'rights'>) =>
  async (caller: Caller, id: number, query: ListQuery): Promise<Page<AiThink>> => {
    await requireActor(deps, deps.database, caller, id);
    const page = pageRequest(query, { sortable: { id: 't.id' }, byDefault: '-id', unique: 't.id' });
    const { rows, totalCount } = await listThinks(deps.database, id, page);
    return pageOf(rows.map(presentThink), totalCount, page);
  };
