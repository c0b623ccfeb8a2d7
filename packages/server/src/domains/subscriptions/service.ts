import type {
  ListQuery,
  MissedRuns,
  Page,
  RecipientState,
  RowRoute,
  Schedule,
  Subscription,
  SubscriptionChange,
  SubscriptionInput,
} from '@svc/contract';
import type { RawBuilder } from 'kysely';
import type { Caller } from '../../platform/access/index.ts';
import type { Database, Executor, Tx } from '../../platform/db/index.ts';
import {
  brokenRule,
  conflict,
  notFound,
  notPossible,
  pageOf,
  pageRequest,
} from '../../platform/http/index.ts';
import { deleteAlert, type RecordAcknowledgement, requireClockTimes } from '../alerts/index.ts';
import type { Audit, CallerActor } from '../audit/index.ts';
import { assertUnmanaged } from '../managed-records/index.ts';
import type { ProjectRights } from '../projects/index.ts';
import { type FoundQuery, notApproved } from '../queries/index.ts';
import { deleteMemory } from '../row-memory/index.ts';
import { isRoutedTo, type RowRoutings, refusingUnreadable, requireRouting } from '../row-routing/index.ts';
import { createAcknowledge } from './acknowledge.ts';
import { createChangeSettings } from './change.ts';
import { requireOwner } from './owner.ts';
import { createPause } from './pause.ts';
import { presentSubscription } from './present.ts';
import { replaceWith } from './replace.ts';
import { createRevise } from './revise.ts';
import type { Schedules } from './schedule.ts';
import {
  attachRecipients,
  detachRecipient,
  findSubscription,
  insertSubscription,
  listSubscriptions,
  lockSubscription,
  type SubscriptionFilter,
  type SubscriptionRow,
  setArchived,
  setOwner,
  setSla,
  setSnooze,
  sortable,
} from './store/index.ts';
import { alertOf, requireWatch, rowMemoryOf, watchOf } from './watch.ts';

export type SubscriptionsDeps = {
  readonly database: Database;
  readonly rights: ProjectRights;
  readonly audit: Audit;
  readonly schedules: Schedules;
  /** Returns a query as it would run, without a check of rights; undefined when it does not exist. */
  readonly loadQuery: (executor: Executor, queryId: number) => Promise<FoundQuery | undefined>;
  /** Checks values against the query's parameters. A refusal names the invalid value. */
  readonly checkParameters: (query: FoundQuery, values: Readonly<Record<string, unknown>>) => void;
  /** Starts or stops the schedule, in the transaction that changes the subscription. */
  readonly setSchedule: (
    tx: Tx,
    subscriptionId: number,
    schedule: { cronExpression: string; timeZone: string } | undefined,
  ) => Promise<void>;
  /** Returns the effective state of a recipient, because approvals may be off. */
  readonly recipientState: (state: RecipientState) => RecipientState;
  readonly listMissedRuns: (subscriptionId: number, query: ListQuery) => Promise<Page<MissedRuns>>;
  /** Returns the runs that a caller may see, as a condition on `svc.runs` as `r` and its query as `q`. */
  readonly visibleRuns: (caller: Caller) => Promise<RawBuilder<boolean>>;
  /** Moves the slug of a subscription to its replacement. */
  readonly moveDefinition: (tx: Tx, fromId: number, toId: number) => Promise<void>;
  /** Adds an acknowledgement to the timeline of the open task. */
  readonly recordAcknowledgement: RecordAcknowledgement;
  /** Moves the open task of a subscription to its replacement. */
  readonly moveOpenTask: (tx: Tx, fromId: number, toId: number) => Promise<void>;
  readonly routings: Pick<RowRoutings, 'read' | 'replace' | 'copy'>;
  /** Starts a run by hand. */
  readonly startTestRun: (
    caller: Caller,
    subscription: SubscriptionRow,
  ) => Promise<{ id: number; status: 'Created' }>;
};

/** Page and filter of a list. */
export type SubscriptionsQuery = ListQuery & Partial<SubscriptionFilter>;

export type SubscriptionsService = ReturnType<typeof createSubscriptionsService>;

/** Creates the service for subscriptions: their queries, schedules and recipients. No function changes a schedule. */
export function createSubscriptionsService(deps: SubscriptionsDeps) {
  const { database, rights, schedules } = deps;

  const withStates = (row: SubscriptionRow): SubscriptionRow => ({
    ...row,
    recipients: row.recipients.map((each) => ({ ...each, state: deps.recipientState(each.state) })),
  });

  const present = (row: SubscriptionRow): Subscription =>
    presentSubscription(
      withStates(row),
      schedules.present(row.cronExpression, row.timeZone, row.archivedAt === null && row.pausedAt === null),
    );

  /** Returns the subscription when the caller has the right in its project, otherwise throws the refusal. */
  const reach = async (
    executor: Executor,
    caller: Caller,
    id: number,
    needed: 'Read' | 'Write',
  ): Promise<SubscriptionRow> => {
    const row = await findSubscription(executor, id, await deps.visibleRuns(caller));
    if (!row) throw notFound();
    await rights.require(executor, caller, row.projectId, needed);
    return row;
  };

  const attach = async (
    tx: Tx,
    caller: Caller,
    id: number,
    recipientIds: readonly number[],
  ): Promise<void> => {
    const distinctIds = [...new Set(recipientIds)];
    if ((await attachRecipients(tx, id, distinctIds, caller.userId)) !== distinctIds.length) throw notFound();
  };

  const create = async (tx: Tx, actor: CallerActor, input: SubscriptionInput): Promise<Subscription> => {
    const schedule = await schedules.explain(input.cronExpression, input.timeZone);
    if (input.recipientIds.length === 0 && input.createTasks !== true) {
      throw brokenRule(
        'recipients-required',
        'Name at least one recipient, or have it create tasks: a subscription without either would alert nobody.',
        [{ path: '/recipientIds', message: 'must not be empty' }],
      );
    }
    const values = newSubscription(input, schedule);
    requireWatch(values);
    requireClockTimes(values.quietHours);
    requireRouting(input.routing, null, { ...values, recipientIds: input.recipientIds });
    const { userId, aiActorId } = actor.caller;
    const query = await deps.loadQuery(tx, input.queryId);
    if (!query) throw notFound();
    await rights.require(tx, actor.caller, query.projectId, 'Write');
    if (query.activeVersionId === null) throw notApproved();
    if (query.steps.length === 0)
      throw notPossible('query-empty', 'This query has no step yet. Give it one before subscribing to it.', [
        { path: '/queryId', message: 'has no step' },
      ]);
    deps.checkParameters(query, input.parameters ?? {});
    const id = await insertSubscription(tx, {
      ...values,
      ownerUserId: userId,
      ...(aiActorId !== undefined && { aiActorId }),
    });
    await attach(tx, actor.caller, id, input.recipientIds);
    if (input.routing) await deps.routings.replace(tx, id, input.routing);
    await deps.setSchedule(tx, id, schedule);
    await deps.audit.record(tx, {
      by: actor,
      event: 'subscriptions.subscription_created',
      subject: { kind: 'subscription', id },
      projectId: query.projectId,
    });
    return present(await mustFind(tx, id, await deps.visibleRuns(actor.caller)));
  };

  /** Returns the subscription for a change of members that a definition file may manage. */
  const reachForChange = async (tx: Tx, actor: CallerActor, id: number): Promise<SubscriptionRow> => {
    const row = await reach(tx, actor.caller, id, 'Write');
    await assertUnmanaged(tx, actor, 'Subscription', id);
    return row;
  };

  const archive = async (tx: Tx, actor: CallerActor, id: number): Promise<void> => {
    const row = await reachForChange(tx, actor, id);
    if (!(await setArchived(tx, id, true))) return;
    await deps.setSchedule(tx, id, undefined);
    await deps.audit.record(tx, {
      by: actor,
      event: 'subscriptions.subscription_archived',
      subject: { kind: 'subscription', id },
      projectId: row.projectId,
    });
  };

  const changeSettings = createChangeSettings(deps, reach);

  const replaceIn = async (
    tx: Tx,
    actor: CallerActor,
    { id, version }: { readonly id: number; readonly version: number | undefined },
    schedule: { readonly cronExpression: string; readonly timeZone: string },
  ): Promise<number> => {
    await lockSubscription(tx, id);
    const row = await reachForChange(tx, actor, id);
    return replaceWith(tx, deps, actor, { row, version }, schedule);
  };

  return {
    list: async (caller: Caller, query: SubscriptionsQuery): Promise<Page<Subscription>> => {
      const { search, projectId, queryId, state = 'Active' } = query;
      const filter = { search, projectId, queryId, state };
      const page = pageRequest(query, { sortable, byDefault: '-createdTime', unique: 's.id' });
      const projectIds = await rights.readableIds(database, caller);
      const { rows, totalCount } = await listSubscriptions(
        database,
        { projectIds, visibleRuns: await deps.visibleRuns(caller) },
        filter,
        page,
      );
      return pageOf(rows.map(present), totalCount, page);
    },

    get: async (caller: Caller, id: number): Promise<Subscription> =>
      present(await reach(database, caller, id, 'Read')),

    explain: (cronExpression: string, timeZone: string | undefined): Promise<Schedule> =>
      schedules.explain(cronExpression, timeZone),

    create: (actor: CallerActor, input: SubscriptionInput): Promise<Subscription> =>
      database.transaction((tx) => create(tx, actor, input)),

    /** Creates a subscription in the caller's transaction. */
    createIn: create,

    /** Changes all settings except query and schedule. `version`: the version that the caller read, if sent. */
    update: (
      actor: CallerActor,
      key: { readonly id: number; readonly version: number | undefined },
      change: SubscriptionChange,
    ): Promise<Subscription> =>
      database.transaction(async (tx) => {
        await changeSettings(tx, actor, key, change);
        return present(await mustFind(tx, key.id, await deps.visibleRuns(actor.caller)));
      }),

    archive: (actor: CallerActor, id: number): Promise<void> =>
      database.transaction((tx) => archive(tx, actor, id)),

    archiveIn: archive,

    setPaused: createPause(deps, reach),

    /** Returns the due times whose run did not start in time, newest first. */
    listMissed: async (caller: Caller, id: number, query: ListQuery): Promise<Page<MissedRuns>> => {
      await reach(database, caller, id, 'Read');
      return deps.listMissedRuns(id, query);
    },

    reactivate: (actor: CallerActor, id: number): Promise<Subscription> =>
      database.transaction(async (tx) => {
        const row = await reach(tx, actor.caller, id, 'Write');
        if (!(await deps.loadQuery(tx, row.queryId)))
          throw conflict(
            'query-gone',
            'The query of this subscription was archived. Subscribe to another one.',
          );
        if (await setArchived(tx, id, false)) {
          await deps.setSchedule(tx, id, { cronExpression: row.cronExpression, timeZone: row.timeZone });
          await deps.audit.record(tx, {
            by: actor,
            event: 'subscriptions.subscription_reactivated',
            subject: { kind: 'subscription', id },
            projectId: row.projectId,
          });
        }
        return present(await mustFind(tx, id, await deps.visibleRuns(actor.caller)));
      }),

    /** Replaces a subscription with a new one, which has another schedule. */
    replace: async (
      actor: CallerActor,
      key: { readonly id: number; readonly version: number | undefined },
      next: { readonly cronExpression: string; readonly timeZone?: string | undefined },
    ): Promise<Subscription> => {
      const schedule = await schedules.explain(next.cronExpression, next.timeZone);
      return database.transaction(async (tx) => {
        const newId = await replaceIn(tx, actor, key, schedule);
        return present(await mustFind(tx, newId, await deps.visibleRuns(actor.caller)));
      });
    },

    /** Replaces a subscription in the caller's transaction. Returns the id of the new one. */
    replaceIn,

    /** Sets settings and recipients in the caller's transaction. */
    reviseIn: createRevise(deps, changeSettings, reach),

    testRun: async (actor: CallerActor, id: number): Promise<{ id: number; status: 'Created' }> => {
      const row = await reach(database, actor.caller, id, 'Write');
      if (row.archivedAt !== null)
        throw conflict('subscription-archived', 'This subscription is archived. Reactivate it first.');
      return deps.startTestRun(actor.caller, withStates(row));
    },

    addRecipients: (actor: CallerActor, id: number, recipientIds: readonly number[]): Promise<Subscription> =>
      database.transaction(async (tx) => {
        const row = await reachForChange(tx, actor, id);
        await attach(tx, actor.caller, id, recipientIds);
        await deps.audit.record(tx, {
          by: actor,
          event: 'subscriptions.recipients_added',
          subject: { kind: 'subscription', id },
          projectId: row.projectId,
          detail: { recipientIds: [...recipientIds] },
        });
        return present(await mustFind(tx, id, await deps.visibleRuns(actor.caller)));
      }),

    /**
     * Returns the routes with their values. The values are cells of a database, so the caller needs the right to change
     * them.
     */
    listRoutes: async (caller: Caller, id: number): Promise<{ routes: RowRoute[] }> => {
      await reach(database, caller, id, 'Write');
      const routing = await refusingUnreadable(() => deps.routings.read(database, id));
      return { routes: [...(routing?.routes ?? [])] };
    },

    removeRecipient: (actor: CallerActor, id: number, recipientId: number): Promise<void> =>
      database.transaction(async (tx) => {
        await lockSubscription(tx, id);
        const row = await reachForChange(tx, actor, id);
        if (await isRoutedTo(tx, id, recipientId))
          throw conflict(
            'recipient-routed',
            'Rows are routed to this recipient. Take it out of the routing first.',
          );
        if (!(await detachRecipient(tx, id, recipientId))) throw notFound();
        await deps.audit.record(tx, {
          by: actor,
          event: 'subscriptions.recipient_removed',
          subject: { kind: 'subscription', id },
          projectId: row.projectId,
          detail: { recipientId },
        });
      }),

    /** Sets the hours within which new tasks are due. The due time of an open task does not change. */
    setSla: (actor: CallerActor, id: number, slaHours: number | null): Promise<void> =>
      database.transaction(async (tx) => {
        const row = await reachForChange(tx, actor, id);
        await setSla(tx, id, slaHours);
        await deps.audit.record(tx, {
          by: actor,
          event: 'subscriptions.sla_changed',
          subject: { kind: 'subscription', id },
          projectId: row.projectId,
          detail: { from: row.slaHours, to: slaHours },
        });
      }),

    acknowledgeAlert: createAcknowledge(deps, reach),

    /** Deletes the state of the alert, so that the next rows are new. */
    resetAlert: (actor: CallerActor, id: number): Promise<void> =>
      database.transaction(async (tx) => {
        const row = await reach(tx, actor.caller, id, 'Write');
        await deleteAlert(tx, { kind: 'Subscription', id });
        await deps.audit.record(tx, {
          by: actor,
          event: 'subscriptions.alert_reset',
          subject: { kind: 'subscription', id },
          projectId: row.projectId,
        });
      }),

    /** Deletes the stored rows. The next run stores its rows and notifies no recipient. */
    resetRowMemory: (actor: CallerActor, id: number): Promise<void> =>
      database.transaction(async (tx) => {
        const row = await reach(tx, actor.caller, id, 'Write');
        await deleteMemory(tx, id);
        await deps.audit.record(tx, {
          by: actor,
          event: 'subscriptions.row_memory_reset',
          subject: { kind: 'subscription', id },
          projectId: row.projectId,
        });
      }),

    /**
     * Suppresses the notifications of scheduled runs until a time; null ends the snooze. A manual run still notifies.
     */
    snooze: (actor: CallerActor, id: number, until: Date | null, reason: string | null): Promise<void> =>
      database.transaction(async (tx) => {
        const row = await reach(tx, actor.caller, id, 'Write');
        await setSnooze(tx, id, until, until && reason);
        await deps.audit.record(tx, {
          by: actor,
          event: `subscriptions.${until ? 'subscription_snoozed' : 'subscription_woken'}`,
          subject: { kind: 'subscription', id },
          projectId: row.projectId,
          detail: { until: until?.toISOString() ?? null },
        });
      }),

    /**
     * Changes the owner to an enabled user with Write in the project. The route admits the caller: a UserAdmin, who
     * need not read the project.
     */
    changeOwner: (actor: CallerActor, id: number, userId: number): Promise<void> =>
      database.transaction(async (tx) => {
        const row = await findSubscription(tx, id);
        if (!row) throw notFound();
        await requireOwner(tx, rights, userId, row.projectId);
        await setOwner(tx, id, userId);
        await deps.audit.record(tx, {
          by: actor,
          event: 'subscriptions.owner_changed',
          subject: { kind: 'subscription', id },
          projectId: row.projectId,
          detail: { from: row.ownerUserId, to: userId },
        });
      }),
  };
}

async function mustFind(
  executor: Executor,
  id: number,
  visibleRuns: RawBuilder<boolean>,
): Promise<SubscriptionRow> {
  const row = await findSubscription(executor, id, visibleRuns);
  if (!row) throw notFound();
  return row;
}

const triggerDefault = 'OnResultCountChange';

/** Returns the settings of a new subscription, with defaults for absent members. */
export function newSubscription(
  input: SubscriptionInput,
  schedule: Pick<Schedule, 'cronExpression' | 'timeZone'>,
) {
  const notificationTrigger = input.notificationTrigger ?? triggerDefault;
  return {
    queryId: input.queryId,
    cronExpression: schedule.cronExpression,
    timeZone: schedule.timeZone,
    notificationTrigger,
    minimumRowCount: input.minimumRowCount ?? null,
    maxRows: input.maxRows ?? null,
    timeoutSeconds: input.timeoutSeconds ?? null,
    overlap: input.overlap ?? 'Skip',
    showQuery: input.showQuery ?? false,
    // The reader of an alert needs its rows first.
    storeResults: input.storeResults ?? notificationTrigger === 'WhileRows',
    includeAttachment: input.includeAttachment ?? false,
    // The default is CSV, because an attachment without a format would be missing.
    attachmentFormat: input.attachmentFormat ?? (input.includeAttachment ? 'Csv' : null),
    createTasks: input.createTasks ?? false,
    slaHours: input.slaHours ?? null,
    parameters: input.parameters ?? {},
    anomaly: watchOf(input.anomaly ?? null),
    alert: alertOf(notificationTrigger, input.alert),
    rowMemory: rowMemoryOf(notificationTrigger, input.rowMemory),
    quietHours: input.quietHours ?? null,
  } as const;
}
