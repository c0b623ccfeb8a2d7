import type { SqlDialect } from '@svc/connectors';
import type { AiPlan, AiPlanStatus, AiPlanSummary, ListQuery, Page } from '@svc/contract';
import { type Caller, holds } from '../../../platform/access/index.ts';
import { type KeyRing, openBytes } from '../../../platform/crypto/index.ts';
import type { Database, Executor } from '../../../platform/db/index.ts';
import { notFound, pageOf, pageRequest } from '../../../platform/http/index.ts';
import type { ProjectRights } from '../../projects/index.ts';
import { hasPart, mayManage } from '../access.ts';
import type { Sample } from '../thinking/actions.ts';
import { presentPlan, presentPlanSummary, recipientsOf } from './present.ts';
import { samplePlace } from './propose.ts';
import { type ActionRow, actionsOf, findPlan, listPlans, type PlanRow, recipientNames } from './store.ts';

export type PlansDeps = {
  readonly database: Database;
  readonly rights: ProjectRights;
  readonly keys: KeyRing;
};

export type PlansService = ReturnType<typeof createPlansService>;
export type DialectOf = (engine: string) => SqlDialect;

type PlanQuery = ListQuery & { readonly status?: AiPlanStatus };

/** Creates read access to plans, for readers of the project and for Approvers. */
export function createPlansService({ database, rights, keys }: PlansDeps) {
  /** Returns a plan that the caller may see. Approvers see all plans, as they see all requests. */
  const visible = async (
    executor: Executor,
    caller: Caller,
    id: number,
  ): Promise<{ readonly plan: PlanRow; readonly reads: boolean }> => {
    const plan = await findPlan(executor, id);
    if (!plan) throw notFound();
    const reads = await rights.canRead(executor, caller, plan.projectId);
    if (!reads && !holds(caller, 'Approver')) throw notFound();
    return { plan, reads };
  };

  /** Sample rows are only for readers of the project. */
  const sampleOf = ({ id, sampleSealed }: ActionRow, reads: boolean): Sample | null => {
    if (sampleSealed === null || !reads) return null;
    const opened = openBytes(keys, sampleSealed, samplePlace(id));
    // This domain wrote the sample. It is unreadable after its key was removed.
    return opened ? (JSON.parse(opened.toString('utf8')) as Sample) : null;
  };

  const shown = async (
    caller: Caller,
    { plan, reads }: Awaited<ReturnType<typeof visible>>,
  ): Promise<AiPlan> => {
    const rows = await actionsOf(database, plan.id);
    const ids = rows.flatMap(({ definition }) => recipientsOf(definition));
    const isPending = plan.status === 'Pending';
    const right = await rights.rightIn(database, caller, plan.projectId);
    return presentPlan(plan, {
      actions: rows.map((row) => ({ row, sample: sampleOf(row, reads) })),
      names: await recipientNames(database, ids),
      canDecide: isPending && holds(caller, 'Approver') && !hasPart(caller, plan, plan.ownerUserId),
      canWithdraw: isPending && mayManage(caller, plan, right),
    });
  };

  const list = async (
    filter: { readonly projectIds: readonly number[] | null; readonly actorId: number | null },
    query: PlanQuery,
  ): Promise<Page<AiPlanSummary>> => {
    const page = pageRequest(query, { sortable: { id: 'p.id' }, byDefault: '-id', unique: 'p.id' });
    const { rows, totalCount } = await listPlans(database, { ...filter, status: query.status ?? null }, page);
    return pageOf(rows.map(presentPlanSummary), totalCount, page);
  };

  return {
    visible,

    get: async (caller: Caller, id: number): Promise<AiPlan> =>
      shown(caller, await visible(database, caller, id)),

    list: async (caller: Caller, query: PlanQuery): Promise<Page<AiPlanSummary>> => {
      const projectIds = holds(caller, 'Approver') ? null : await rights.readableIds(database, caller);
      return list({ projectIds, actorId: null }, query);
    },

    /** Plans of one actor. The caller has read access to its project. */
    listOfActor: (actorId: number, query: PlanQuery): Promise<Page<AiPlanSummary>> =>
      list({ projectIds: null, actorId }, query),
  };
}
