import type {
  ListQuery,
  MissedRuns,
  Page,
  RowRoute,
  Schedule,
  Subscription,
  SubscriptionChange,
  SubscriptionInput,
} from '@svc/contract';
import type { Caller } from '../../platform/access/index.ts';
import type { Database, Tx } from '../../platform/db/index.ts';
import type { CallerActor } from '../audit/index.ts';
import { refusingUnreadable } from '../row-routing/index.ts';
import { createAcknowledge } from './changes/acknowledge.ts';
import { createArchive, createReactivate } from './changes/archive.ts';
import { createChangeOwner } from './changes/change-owner.ts';
import { createChangeSettings } from './changes/change-settings.ts';
import type { ChangeDeps, SubscriptionKey } from './changes/dependencies.ts';
import { createPause } from './changes/pause.ts';
import { createAddRecipients, createRemoveRecipient } from './changes/recipients.ts';
import { createReplace } from './changes/replace.ts';
import { createResetAlert, createResetRowMemory } from './changes/reset.ts';
import { createRevise } from './changes/revise.ts';
import { createSetSla } from './changes/set-sla.ts';
import { createSnooze } from './changes/snooze.ts';
import { createSubscribe } from './changes/subscribe.ts';
import { createSubscriptionReader, type SubscriptionReaderDeps, type SubscriptionsQuery } from './reader.ts';
import { requireNotArchived } from './requirements.ts';
import type { SubscriptionRow } from './store/index.ts';

export type SubscriptionsDeps = SubscriptionReaderDeps &
  Omit<ChangeDeps, 'reader'> & {
    readonly database: Database;
    readonly listMissedRuns: (subscriptionId: number, query: ListQuery) => Promise<Page<MissedRuns>>;
    /** Starts a run by hand. */
    readonly startTestRun: (
      caller: Caller,
      subscription: SubscriptionRow,
    ) => Promise<{ id: number; status: 'Created' }>;
  };

export type SubscriptionsService = ReturnType<typeof createSubscriptionsService>;

/** Creates the service for subscriptions: their queries, schedules and recipients. No function changes a schedule. */
export function createSubscriptionsService(deps: SubscriptionsDeps) {
  const { database, schedules } = deps;
  const reader = createSubscriptionReader(deps);
  const changeDeps: ChangeDeps = { ...deps, reader };
  const subscribe = createSubscribe(changeDeps);
  const changeSettings = createChangeSettings(changeDeps);
  const archive = createArchive(changeDeps);
  const reactivate = createReactivate(changeDeps);
  const replace = createReplace(changeDeps);
  const addRecipients = createAddRecipients(changeDeps);

  /** Returns a change that runs in its own transaction. */
  const committed =
    <Input extends readonly unknown[]>(
      change: (tx: Tx, actor: CallerActor, id: number, ...input: Input) => Promise<void>,
    ) =>
    (actor: CallerActor, id: number, ...input: Input): Promise<void> =>
      database.transaction((tx) => change(tx, actor, id, ...input));

  const createIn = async (tx: Tx, actor: CallerActor, input: SubscriptionInput): Promise<Subscription> =>
    reader.get(tx, actor.caller, await subscribe(tx, actor, input));

  return {
    list: (caller: Caller, query: SubscriptionsQuery): Promise<Page<Subscription>> =>
      reader.list(database, caller, query),

    get: async (caller: Caller, id: number): Promise<Subscription> =>
      reader.present(await reader.require(database, caller, id, 'Read')),

    explain: (cronExpression: string, timeZone: string | undefined): Promise<Schedule> =>
      schedules.explain(cronExpression, timeZone),

    /** Returns the due times whose run did not start in time, newest first. */
    listMissed: async (caller: Caller, id: number, query: ListQuery): Promise<Page<MissedRuns>> => {
      await reader.require(database, caller, id, 'Read');
      return deps.listMissedRuns(id, query);
    },

    /**
     * Returns the routes with their values. The values are cells of a database, so the caller needs the right to change
     * them.
     */
    listRoutes: async (caller: Caller, id: number): Promise<{ routes: RowRoute[] }> => {
      await reader.require(database, caller, id, 'Write');
      const routing = await refusingUnreadable(() => deps.routings.read(database, id));
      return { routes: [...(routing?.routes ?? [])] };
    },

    testRun: async (actor: CallerActor, id: number): Promise<{ id: number; status: 'Created' }> => {
      const row = await reader.require(database, actor.caller, id, 'Write');
      requireNotArchived(row);
      return deps.startTestRun(actor.caller, row);
    },

    create: (actor: CallerActor, input: SubscriptionInput): Promise<Subscription> =>
      database.transaction((tx) => createIn(tx, actor, input)),

    /** Changes all settings except query and schedule. */
    update: (actor: CallerActor, key: SubscriptionKey, change: SubscriptionChange): Promise<Subscription> =>
      database.transaction(async (tx) => {
        await changeSettings(tx, actor, key, change);
        return reader.get(tx, actor.caller, key.id);
      }),

    reactivate: (actor: CallerActor, id: number): Promise<Subscription> =>
      database.transaction(async (tx) => {
        await reactivate(tx, actor, id);
        return reader.get(tx, actor.caller, id);
      }),

    /** Replaces a subscription with a new one, which has another schedule. */
    replace: async (
      actor: CallerActor,
      key: SubscriptionKey,
      next: { readonly cronExpression: string; readonly timeZone?: string | undefined },
    ): Promise<Subscription> => {
      const schedule = await schedules.explain(next.cronExpression, next.timeZone);
      return database.transaction(async (tx) =>
        reader.get(tx, actor.caller, await replace(tx, actor, key, schedule)),
      );
    },

    addRecipients: (actor: CallerActor, id: number, recipientIds: readonly number[]): Promise<Subscription> =>
      database.transaction(async (tx) => {
        await addRecipients(tx, actor, id, recipientIds);
        return reader.get(tx, actor.caller, id);
      }),

    archive: committed(archive),
    setPaused: committed(createPause(changeDeps)),
    snooze: committed(createSnooze(changeDeps)),
    removeRecipient: committed(createRemoveRecipient(changeDeps)),
    changeOwner: committed(createChangeOwner(changeDeps)),
    setSla: committed(createSetSla(changeDeps)),
    acknowledgeAlert: committed(createAcknowledge(changeDeps)),
    resetAlert: committed(createResetAlert(changeDeps)),
    resetRowMemory: committed(createResetRowMemory(changeDeps)),

    // Changes in the caller's transaction.
    createIn,
    archiveIn: archive,
    replaceIn: replace,
    reviseIn: createRevise(changeDeps, changeSettings),
  };
}
