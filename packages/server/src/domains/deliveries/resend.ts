import type { ResendFailedInput } from '@svc/contract';
import { plural } from '@svc/contract';
import type { RunKey } from '../../gateways/send/index.ts';
import type { Caller } from '../../platform/access/index.ts';
import type { Database, Tx } from '../../platform/db/index.ts';
import { badRequest, conflict, notFound } from '../../platform/http/index.ts';
import type { Audit, CallerActor } from '../audit/index.ts';
import { type ProjectRights, reachOf, readableProjectsTable } from '../projects/index.ts';
import { findRun, visibleRuns } from '../run-history/index.ts';
import type { Attempts } from './attempts.ts';
import { findDelivery, findUndone, queueResends, type UndoneDelivery, type UndoneFilter } from './store.ts';

/** Upper bound for deliveries per resend request. */
const orderMax = 1_000;
const dayMs = 86_400_000;
const windowDaysMax = 31;

/** Result of a resend request. */
export type Ordered = {
  readonly orderedCount: number;
  /** True when further deliveries of the same kind remain for another request. */
  readonly isCut: boolean;
};

export type ResendService = ReturnType<typeof createResendService>;

/**
 * Creates the service that resends deliveries: always the frozen, masked message of the run. The send gateway checks
 * the recipient, its approval and its address again. The run remains `Failed` and shows the time of its recovery.
 */
export function createResendService(deps: {
  readonly database: Database;
  readonly rights: ProjectRights;
  readonly audit: Audit;
  readonly attempts: Pick<Attempts, 'enqueue'>;
}) {
  const { database, rights } = deps;

  const visibleTo = async (caller: Caller) => visibleRuns(caller, await rights.readableIds(database, caller));

  /** Returns the project of a run. Refuses callers who may not see the run or resend its deliveries. */
  const requireRun = async (
    actor: CallerActor,
    runId: number,
  ): Promise<{ key: RunKey; projectId: number }> => {
    const run = await findRun(database, await visibleTo(actor.caller), runId);
    if (!run) throw notFound();
    await rights.require(database, actor.caller, run.projectId, 'Write');
    return { key: { id: run.id, dueAt: run.dueAt }, projectId: run.projectId };
  };

  const order = async (
    tx: Tx,
    actor: CallerActor,
    deliveries: readonly UndoneDelivery[],
    detail: Readonly<Record<string, unknown>>,
    projectId?: number,
  ): Promise<number> => {
    const queued = await queueResends(tx, deliveries, actor.caller.userId);
    await deps.attempts.enqueue(tx, queued);
    if (queued.length > 0)
      await deps.audit.record(tx, {
        by: actor,
        event: 'notifications.deliveries_resent',
        ...(projectId !== undefined && { projectId }),
        detail: { ...detail, orderedCount: queued.length },
      });
    return queued.length;
  };

  const orderAll = async (
    actor: CallerActor,
    filter: UndoneFilter,
    detail: Readonly<Record<string, unknown>>,
  ): Promise<Ordered> => {
    const scope = {
      visible: await visibleTo(actor.caller),
      writable: readableProjectsTable(reachOf(actor.caller)),
    };
    const deliveries = await findUndone(database, scope, filter, orderMax + 1);
    const undone = deliveries.slice(0, orderMax);
    const orderedCount = await database.transaction((tx) => order(tx, actor, undone, detail));
    return { orderedCount, isCut: deliveries.length > orderMax };
  };

  return {
    one: async (actor: CallerActor, runId: number, deliveryId: number): Promise<Ordered> => {
      const { key, projectId } = await requireRun(actor, runId);
      const delivery = await findDelivery(database, key, deliveryId);
      if (!delivery) throw notFound();
      if (!delivery.isRunOver || delivery.state === 'Queued' || delivery.state === 'Sending')
        throw conflict('delivery-under-way', 'This delivery is still under way. Wait for its end.');
      if (delivery.state === 'Sent')
        throw conflict('delivery-made', 'This delivery was made; the recipient accepted it.');
      if (!delivery.isLast) throw alreadyOrdered();
      if (!delivery.isMessageKept) throw messageGone();
      const orderedCount = await database.transaction((tx) =>
        order(
          tx,
          actor,
          [{ id: deliveryId, runDueAt: key.dueAt }],
          { runId, recipientId: delivery.recipientId },
          projectId,
        ),
      );
      if (orderedCount === 0) throw alreadyOrdered();
      return { orderedCount, isCut: false };
    },

    failedOfRun: async (actor: CallerActor, runId: number, includesUnknown: boolean): Promise<Ordered> => {
      const { key } = await requireRun(actor, runId);
      return orderAll(actor, { run: key, includesUnknown }, { runId });
    },

    /** Resends every failed delivery of a time window, in projects where the caller may write. */
    failedOfWindow: async (actor: CallerActor, input: ResendFailedInput): Promise<Ordered> => {
      const [from, to] = [new Date(input.from), new Date(input.to)];
      if (from >= to) throw badRequest('invalid-range', 'The range ends before it begins.');
      if (to.getTime() - from.getTime() > windowDaysMax * dayMs)
        throw badRequest('invalid-range', `The range may span ${plural(windowDaysMax, 'day')} at most.`);
      const { subscriptionId, recipientId, includesUnknown = false } = input;
      return orderAll(
        actor,
        { from, to, subscriptionId, recipientId, includesUnknown },
        { from: from.toISOString(), to: to.toISOString() },
      );
    },
  };
}

const alreadyOrdered = () =>
  conflict('delivery-repeated', 'A later attempt at this delivery exists already. Look at that one.');
const messageGone = () =>
  conflict(
    'message-gone',
    'The message of this run is no longer kept (Svc:Notifications:KeepMessagesDays). Use Test now.',
  );
