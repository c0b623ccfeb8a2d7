import {
  type AiActor,
  type AiActorChange,
  type AiActorInput,
  type AiActorState,
  type AiActorSummary,
  type AiThink,
  aiActorDefaults,
  type ListQuery,
  type Page,
} from '@svc/contract';
import { type Llm, llmFailureTexts } from '../../gateways/llm/index.ts';
import { type Caller, isAdmin } from '../../platform/access/index.ts';
import type { Database, Executor, Tx } from '../../platform/db/index.ts';
import {
  badRequest,
  brokenRule,
  conflict,
  forbidden,
  notFound,
  pageOf,
  pageRequest,
} from '../../platform/http/index.ts';
import type { Audit, CallerActor } from '../audit/index.ts';
import { findEngine } from '../data-contracts/index.ts';
import { assertVersion, type ProjectRights } from '../projects/index.ts';
import type { Schedules } from '../subscriptions/index.ts';
import { findUsers } from '../users/index.ts';
import { mayManage } from './access.ts';
import type { Acting } from './owner.ts';
import type { ClosePlan } from './plans/close.ts';
import { presentActor, presentSummary } from './present.ts';
import * as store from './store.ts';
import { presentThink } from './thinking/present.ts';
import type { Feedback, Ordered, StartThinking } from './thinking/start.ts';
import { endThink, listThinks } from './thinking/store.ts';

export type AiActorsDeps = {
  readonly database: Database;
  readonly rights: ProjectRights;
  readonly audit: Audit;
  readonly schedules: Schedules;
  readonly llm: Pick<Llm, 'absence'>;
  readonly starting: StartThinking;
  readonly acting: Acting;
  readonly closePlan: ClosePlan;
};

export type AiActorsService = ReturnType<typeof createAiActorsService>;

/** State after an action, by current state. A missing state does not allow the action. */
const moves = {
  pause: { Active: 'Paused' },
  resume: { Draft: 'Active', Paused: 'Active', Failed: 'Active' },
} as const satisfies Record<string, Partial<Record<AiActorState, AiActorState>>>;

/** Manages AI actors: their owners, their limits, and the schedule of their thinks. */
export function createAiActorsService(deps: AiActorsDeps) {
  const { database, rights, schedules, starting, audit } = deps;

  const reach = async (executor: Executor, caller: Caller, id: number) => {
    const actor = await store.findActor(executor, id);
    if (!actor) throw notFound();
    return { actor, right: await rights.require(executor, caller, actor.projectId, 'Read') };
  };

  /** Locks the actor and checks that the caller may change it. */
  const manage = async (tx: Tx, caller: Caller, id: number): Promise<store.ActorRow> => {
    const actor = await store.lockActor(tx, id);
    if (!actor) throw notFound();
    const right = await rights.require(tx, caller, actor.projectId, 'Read');
    if (!mayManage(caller, actor, right))
      throw forbidden('not-your-actor', 'Only the owner of the actor, a ProjectAdmin or an Admin may.');
    return actor;
  };

  const shown = async (executor: Executor, caller: Caller, id: number): Promise<AiActor> => {
    const { actor, right } = await reach(executor, caller, id);
    const { thinkSchedule, timeZone, state } = actor;
    const schedule =
      thinkSchedule === null ? null : schedules.present(thinkSchedule, timeZone, state === 'Active');
    return presentActor(actor, {
      queries: await store.queriesOfActor(executor, id),
      nextThinkAt: schedule?.nextTimes[0] ?? null,
      canManage: mayManage(caller, actor, right),
    });
  };

  const record = (
    tx: Tx,
    by: CallerActor,
    event: string,
    { id, projectId }: Pick<store.ActorRow, 'id' | 'projectId'>,
    detail: Readonly<Record<string, unknown>> = {},
  ): Promise<void> =>
    audit.record(tx, {
      by,
      event: `ai_actors.${event}`,
      projectId,
      detail,
      subject: { kind: 'ai_actor', id },
    });

  /** Returns complete settings. Omitted members retain their stored value or get their default. */
  const settingsOf = async (
    tx: Tx,
    caller: Caller,
    input: AiActorChange,
    before?: store.ActorRow,
  ): Promise<store.ActorSettings> => {
    const cron = input.thinkSchedule ?? null;
    const asked = cron ?? '0 6 * * *';
    const schedule = await schedules.explain(asked, input.timeZone ?? before?.timeZone);
    const recipientIds = [...new Set(input.defaultRecipientIds ?? [])];
    const live = await store.liveRecipients(tx, recipientIds);
    if (live.length !== recipientIds.length)
      throw brokenRule('invalid-ai-actor', 'A recipient does not exist or is archived.', [
        { path: '/defaultRecipientIds', message: 'names a recipient that does not exist or is archived' },
      ]);
    const requiresApproval = input.requiresApproval ?? before?.requiresApproval ?? true;
    if (requiresApproval !== (before?.requiresApproval ?? true) && !isAdmin(caller))
      throw forbidden(
        'approval-set-by-admin',
        'Whether an actor needs approval for its queries is set by an Admin.',
      );
    const { maxQueries, maxSubscriptionsPerQuery, maxActionsPerPlan, monthlyTokens } = aiActorDefaults;
    return {
      name: input.name.trim(),
      instructions: input.instructions.trim(),
      additionalContext: input.additionalContext?.trim() || null,
      thinkSchedule: cron === null ? null : schedule.cronExpression,
      timeZone: schedule.timeZone,
      isThinkingAfterRuns: input.isThinkingAfterRuns ?? false,
      maxQueries: input.maxQueries ?? maxQueries,
      maxSubscriptionsPerQuery: input.maxSubscriptionsPerQuery ?? maxSubscriptionsPerQuery,
      maxActionsPerPlan: input.maxActionsPerPlan ?? maxActionsPerPlan,
      monthlyTokens: input.monthlyTokens ?? monthlyTokens,
      defaultRecipientIds: recipientIds,
      requiresApproval,
    };
  };

  const refuseArchived = ({ state }: store.ActorRow): void => {
    if (state === 'Archived') throw conflict('actor-not-active', 'This actor is archived.');
  };

  const cancelOpen = async (tx: Tx, actorId: number): Promise<void> => {
    const open = await starting.cancelOpen(tx, actorId);
    if (open !== undefined) await endThink(tx, open, { state: 'Cancelled' });
  };

  const requireOwner = async (tx: Tx, actor: store.ActorRow): Promise<void> => {
    if (await deps.acting.asOwner(tx, actor)) return;
    throw conflict(
      'actor-owner-unfit',
      'The owner of the actor is disabled or may not write in the project. Give the actor to somebody who may.',
    );
  };

  const move = (by: CallerActor, id: number, act: keyof typeof moves): Promise<AiActor> =>
    database.transaction(async (tx) => {
      const actor = await manage(tx, by.caller, id);
      const next: AiActorState | undefined = (moves[act] as Partial<Record<AiActorState, AiActorState>>)[
        actor.state
      ];
      if (next === undefined)
        throw conflict(
          'actor-not-active',
          `This actor is ${actor.state.toLowerCase()}, so that it cannot ${act}.`,
        );
      if (next === 'Active') await requireOwner(tx, actor);
      else await cancelOpen(tx, id);
      await store.setActorState(tx, id, next);
      await starting.setSchedule(tx, { ...actor, state: next });
      await record(tx, by, next === 'Active' ? 'actor_resumed' : 'actor_paused', actor, {
        from: actor.state,
      });
      return shown(tx, by.caller, id);
    });

  const order = async (
    by: CallerActor,
    id: number,
    origin: 'Request' | 'Refinement',
    feedback: string | null,
  ): Promise<Ordered> => {
    const absence = await deps.llm.absence();
    return database.transaction(async (tx) => {
      const actor = await manage(tx, by.caller, id);
      await requireOwner(tx, actor);
      if (absence !== null)
        throw conflict(
          'llm-not-configured',
          `An actor thinks with a language model. ${llmFailureTexts[absence]}`,
        );
      const asked: Feedback | null =
        feedback === null ? null : { text: feedback, parentPlanId: actor.pendingPlanId };
      const ordered = await starting.byPerson(tx, actor, origin, by.caller, asked);
      await record(tx, by, 'think_ordered', actor, { thinkId: ordered.thinkId, origin });
      return ordered;
    });
  };

  return {
    /** Returns the actor if the caller has read access to its project. */
    reach: (caller: Caller, id: number) => reach(database, caller, id),

    list: async (
      caller: Caller,
      query: ListQuery & {
        readonly search?: string;
        readonly projectId?: number;
        readonly dataSourceId?: number;
        readonly state?: AiActorState;
      },
    ): Promise<Page<AiActorSummary>> => {
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
    },

    get: (caller: Caller, id: number): Promise<AiActor> => shown(database, caller, id),

    create: (
      by: CallerActor,
      { projectId, dataSourceId, isActive = true, ...input }: AiActorInput,
    ): Promise<AiActor> =>
      database.transaction(async (tx) => {
        await rights.require(tx, by.caller, projectId, 'Write');
        const engine = await findEngine(tx, projectId, dataSourceId);
        if (engine === undefined) throw notFound();
        if (engine === 'Rest')
          throw brokenRule('invalid-ai-actor', 'An actor asks in SQL, and a REST API takes none.', [
            { path: '/dataSourceId', message: 'must be a data source that takes SQL' },
          ]);
        const { userId } = by.caller;
        if (userId === null)
          throw forbidden('actor-owner-needed', 'An actor acts as its owner, who must be a stored user.');
        const settings = await settingsOf(tx, by.caller, input);
        const state = isActive ? 'Active' : 'Draft';
        const id = await store.insertActor(tx, { projectId, dataSourceId, state }, settings, userId);
        await requireOwner(tx, { ...(await reach(tx, by.caller, id)).actor });
        await starting.setSchedule(tx, { id, state, ...settings });
        await record(tx, by, 'actor_created', { id, projectId }, { dataSourceId, state });
        return shown(tx, by.caller, id);
      }),

    replace: (
      by: CallerActor,
      { id, version }: { readonly id: number; readonly version: number | undefined },
      input: AiActorChange,
    ): Promise<AiActor> =>
      database.transaction(async (tx) => {
        const before = await manage(tx, by.caller, id);
        assertVersion(before.version, version);
        refuseArchived(before);
        const settings = await settingsOf(tx, by.caller, input, before);
        await store.updateActor(tx, id, settings);
        await starting.setSchedule(tx, { id, state: before.state, ...settings });
        const { requiresApproval } = settings;
        await record(tx, by, 'actor_changed', before, {
          ...(requiresApproval !== before.requiresApproval && { requiresApproval }),
        });
        return shown(tx, by.caller, id);
      }),

    archive: (by: CallerActor, id: number): Promise<void> =>
      database.transaction(async (tx) => {
        const actor = await manage(tx, by.caller, id);
        if (actor.state === 'Archived') return;
        await cancelOpen(tx, id);
        if (actor.pendingPlanId !== null)
          await deps.closePlan(tx, by, actor.pendingPlanId, { status: 'Expired', comment: null });
        await store.setActorState(tx, id, 'Archived');
        await starting.setSchedule(tx, { ...actor, state: 'Archived' });
        await record(tx, by, 'actor_archived', actor);
      }),

    pause: (by: CallerActor, id: number) => move(by, id, 'pause'),
    resume: (by: CallerActor, id: number) => move(by, id, 'resume'),
    think: (by: CallerActor, id: number) => order(by, id, 'Request', null),
    refine: (by: CallerActor, id: number, feedback: string) => order(by, id, 'Refinement', feedback),

    thinks: async (caller: Caller, id: number, query: ListQuery): Promise<Page<AiThink>> => {
      await reach(database, caller, id);
      const page = pageRequest(query, { sortable: { id: 't.id' }, byDefault: '-id', unique: 't.id' });
      const { rows, totalCount } = await listThinks(database, id, page);
      return pageOf(rows.map(presentThink), totalCount, page);
    },

    /** The route requires UserAdmin, who need not have access to the project. */
    changeOwner: (by: CallerActor, id: number, userId: number): Promise<void> =>
      database.transaction(async (tx) => {
        const actor = await store.lockActor(tx, id);
        if (!actor) throw notFound();
        const [user] = await findUsers(tx, [userId]);
        if (!user?.isEnabled || user.archivedAt !== null)
          throw badRequest('unknown-user', 'The new owner must be an existing, enabled user.', [
            { path: '/userId', message: 'is no enabled user' },
          ]);
        if (!(await deps.acting.asOwner(tx, { ...actor, ownerUserId: userId })))
          throw brokenRule('invalid-ai-actor', 'The new owner may not write in the project of the actor.', [
            { path: '/userId', message: 'may not write in the project' },
          ]);
        await store.setActorOwner(tx, id, userId);
        await record(tx, by, 'owner_changed', actor, { from: actor.ownerUserId, to: userId });
      }),
  };
}
