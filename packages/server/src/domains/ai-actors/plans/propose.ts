import type { SqlDialect } from '@svc/connectors';
import { aiPlanDays } from '@svc/contract';
import { type KeyRing, type Randomness, seal } from '../../../platform/crypto/index.ts';
import type { Tx } from '../../../platform/db/index.ts';
import type { ChangeRequests } from '../../approvals/index.ts';
import type { CallerActor } from '../../audit/index.ts';
import type { Notify } from '../../realtime/index.ts';
import type { ActorRow } from '../store.ts';
import type { ProvedAction } from '../thinking/actions.ts';
import type { ThinkRow } from '../thinking/store.ts';
import type { ClosePlan } from './close.ts';
import { planHashOf } from './hash.ts';
import { findPlan, insertAction, insertPlan, saveSample } from './store.ts';

export const samplePlace = (rowId: number) => ({ table: 'ai_plan_actions', column: 'sample_sealed', rowId });

/**
 * Returns the user who started a think. For a revision it returns none: the reviewer who requested it only commented on a
 * plan. A project with one Approver can therefore still decide about the next version.
 */
const starterOf = ({ origin, orderedByUserId, orderedByHostUser }: ThinkRow) =>
  origin === 'Revision'
    ? { userId: null, hostUser: null }
    : { userId: orderedByUserId, hostUser: orderedByHostUser };

/** Stores the plan of a think, replaces the pending plan, and submits the new plan for approval. */
export const createPropose =
  (deps: {
    readonly requests: Pick<ChangeRequests, 'submit'>;
    readonly vault: { readonly keys: KeyRing; readonly random: Randomness };
    readonly dialectOf: (engine: string) => SqlDialect;
    readonly closePlan: ClosePlan;
    readonly aiPlanChanged: Notify['aiPlanChanged'];
  }) =>
  async (
    tx: Tx,
    by: CallerActor,
    actor: ActorRow,
    think: ThinkRow,
    actions: readonly ProvedAction[],
  ): Promise<number> => {
    const { vault } = deps;
    const parent = think.parentPlanId === null ? undefined : await findPlan(tx, think.parentPlanId);
    if (actor.pendingPlanId !== null)
      await deps.closePlan(tx, by, actor.pendingPlanId, { status: 'Withdrawn', comment: null });
    const definitions = actions.map(({ definition }) => definition);
    const planHash = await planHashOf(tx, actor, definitions, deps.dialectOf);
    const starter = starterOf(think);
    const users = [
      actor.ownerUserId,
      actor.createdByUserId,
      starter.userId,
      ...(parent?.barredUserIds ?? []),
    ];
    const hosts = [starter.hostUser, ...(parent?.barredHostUsers ?? [])];
    const planId = await insertPlan(tx, {
      actorId: actor.id,
      thinkId: think.id,
      planHash,
      days: aiPlanDays,
      version: (parent?.version ?? 0) + 1,
      parentPlanId: parent?.id ?? null,
      barredUserIds: [...new Set(users.filter((id) => id !== null))],
      barredHostUsers: [...new Set(hosts.filter((id) => id !== null))],
    });
    for (const [at, action] of actions.entries()) {
      const id = await insertAction(tx, planId, at + 1, action);
      if (action.sample === null) continue;
      const text = JSON.stringify(action.sample);
      await saveSample(tx, id, seal(vault.keys, text, samplePlace(id), vault.random));
    }
    await deps.requests.submit(
      tx,
      by,
      {
        kind: 'Plan',
        targetId: planId,
        isNew: true,
        changedParts: [],
        proposedHash: planHash,
        versionId: null,
      },
      undefined,
    );
    await deps.aiPlanChanged(tx, {
      actorId: actor.id,
      planId,
      status: 'Pending',
      userIds: [actor.ownerUserId, think.orderedByUserId],
    });
    return planId;
  };
