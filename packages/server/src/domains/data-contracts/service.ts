import type {
  DataContract,
  DataContractChange,
  DataContractInput,
  DataContractSummary,
  ListQuery,
  Page,
  RecipientState,
} from '@svc/contract';
import type { Caller } from '../../platform/access/index.ts';
import type { Database, Executor, Tx } from '../../platform/db/index.ts';
import { notFound, pageOf, pageRequest } from '../../platform/http/index.ts';
import {
  type AcknowledgementChange,
  changeAcknowledgement,
  deleteAlert,
  type RecordAcknowledgement,
} from '../alerts/index.ts';
import type { Audit, CallerActor } from '../audit/index.ts';
import { assertUnmanaged } from '../managed-records/index.ts';
import { assertVersion, type ProjectRights } from '../projects/index.ts';
import { requireOwner, type Schedules } from '../subscriptions/index.ts';
import {
  assertFits,
  assertMayUseSql,
  type ContractDefinition,
  definitionOf,
  hasOtherMeaning,
} from './definition.ts';
import { presentContract, presentSummary } from './present.ts';
import { saveRules } from './rule-store.ts';
import * as store from './store.ts';

export type DataContractsDeps = {
  readonly database: Database;
  readonly rights: ProjectRights;
  readonly audit: Audit;
  readonly schedules: Schedules;
  /** Starts the schedule of a contract's evaluations in the caller's transaction. Without a schedule, stops it. */
  readonly setSchedule: (
    tx: Tx,
    contractId: number,
    schedule: { readonly cronExpression: string; readonly timeZone: string } | undefined,
  ) => Promise<void>;
  /** Returns the effective state of a recipient. The approval workflow may be disabled. */
  readonly recipientState: (state: RecipientState) => RecipientState;
  readonly recordAcknowledgement: RecordAcknowledgement;
};

export type DataContractsService = ReturnType<typeof createDataContractsService>;

/** Returns the contract when the caller has the required right in its project; otherwise throws the refusal. */
export type ReachContract = (
  executor: Executor,
  caller: Caller,
  id: number,
  needed: 'Read' | 'Write',
) => Promise<store.ContractRow>;

export const createReachContract =
  (rights: ProjectRights): ReachContract =>
  async (executor, caller, id, needed) => {
    const row = await store.findContract(executor, id);
    if (!row) throw notFound();
    await rights.require(executor, caller, row.projectId, needed);
    return row;
  };

/** Creates the service for data contracts: rules, owners, schedules and recipients per table. */
export function createDataContractsService(deps: DataContractsDeps) {
  const { database, rights, schedules, audit } = deps;
  const reach = createReachContract(rights);

  const present = (row: store.ContractRow): DataContract => {
    const { cronExpression, timeZone, isEnabled } = row;
    const schedule =
      cronExpression === null ? null : schedules.present(cronExpression, timeZone ?? 'UTC', isEnabled);
    const recipients = row.recipients.map((each) => ({ ...each, state: deps.recipientState(each.state) }));
    return presentContract({ ...row, recipients }, schedule);
  };

  const record = (
    tx: Tx,
    by: CallerActor,
    event: string,
    { id, projectId }: Pick<store.ContractRow, 'id' | 'projectId'>,
    detail: Readonly<Record<string, unknown>> = {},
  ): Promise<void> =>
    audit.record(tx, {
      by,
      event: `data_quality.${event}`,
      subject: { kind: 'data_contract', id },
      projectId,
      detail,
    });

  const schedule = (tx: Tx, { id, cronExpression, timeZone, isEnabled }: store.ContractRow): Promise<void> =>
    deps.setSchedule(
      tx,
      id,
      cronExpression !== null && isEnabled ? { cronExpression, timeZone: timeZone ?? 'UTC' } : undefined,
    );

  const attach = async (tx: Tx, by: CallerActor, id: number, ids: readonly number[]): Promise<void> => {
    const wanted = [...new Set(ids)];
    if ((await store.attachRecipients(tx, id, wanted, by.caller.userId)) !== wanted.length) throw notFound();
  };

  const mustFind = async (executor: Executor, id: number): Promise<store.ContractRow> => {
    const row = await store.findContract(executor, id);
    if (!row) throw notFound();
    return row;
  };

  /** Locks the contract, so that no concurrent change occurs between the checks and the commit. */
  const lock = async (tx: Tx, caller: Caller, id: number): Promise<store.ContractRow> => {
    await store.lockContract(tx, id);
    return reach(tx, caller, id, 'Write');
  };

  /** Locks the contract for a change of managed members. Refuses a contract that a definition file manages. */
  const lockForChange = async (tx: Tx, by: CallerActor, id: number): Promise<store.ContractRow> => {
    const row = await lock(tx, by.caller, id);
    await assertUnmanaged(tx, by, 'Contract', id);
    return row;
  };

  const createIn = async (
    tx: Tx,
    by: CallerActor,
    input: DataContractInput,
    { mayLackTable = false }: { readonly mayLackTable?: boolean } = {},
  ): Promise<DataContract> => {
    const { recipientIds = [], ...change } = input;
    const next = await definitionOf(change, schedules.explain);
    await rights.require(tx, by.caller, next.settings.projectId, 'Write');
    assertMayUseSql(by.caller, next);
    await assertFits(tx, next, [], mayLackTable);
    const id = await store.insertContract(tx, next.settings, by.caller.userId);
    await saveRules(tx, id, next.rules);
    await attach(tx, by, id, recipientIds);
    const row = await mustFind(tx, id);
    await schedule(tx, row);
    await record(tx, by, 'contract_created', row, {
      dataSourceId: row.dataSourceId,
      table: row.tableName,
      rules: row.rules.length,
    });
    return present(row);
  };

  const replaceIn = async (
    tx: Tx,
    by: CallerActor,
    key: { readonly id: number; readonly version: number | undefined },
    next: ContractDefinition,
  ): Promise<DataContract> => {
    const before = await lockForChange(tx, by, key.id);
    assertVersion(before.version, key.version);
    await rights.require(tx, by.caller, next.settings.projectId, 'Write');
    assertMayUseSql(by.caller, next, before);
    // A dropped or not yet created table does not prevent a change of other members.
    await assertFits(tx, next, before.rules, isSameTable(before, next.settings));
    await store.updateContract(tx, key.id, next.settings);
    // The alert state refers to the earlier meaning.
    if (hasOtherMeaning(before, next.settings)) await deleteAlert(tx, { kind: 'Contract', id: key.id });
    await saveRules(tx, key.id, next.rules);
    const row = await mustFind(tx, key.id);
    await schedule(tx, row);
    await record(tx, by, 'contract_changed', row, { rules: row.rules.length });
    return present(row);
  };

  return {
    list: async (
      caller: Caller,
      query: ListQuery & { search?: string; projectId?: number; dataSourceId?: number },
    ): Promise<Page<DataContractSummary>> => {
      const page = pageRequest(query, {
        sortable: store.contractSortable,
        byDefault: 'name',
        unique: 'c.id',
      });
      const { search, projectId = null, dataSourceId = null } = query;
      const filter = { search: search || null, projectId, dataSourceId };
      const readable = await rights.readableIds(database, caller);
      const { rows, totalCount } = await store.listContracts(database, readable, filter, page);
      return pageOf(rows.map(presentSummary), totalCount, page);
    },

    get: async (caller: Caller, id: number): Promise<DataContract> =>
      present(await reach(database, caller, id, 'Read')),

    create: (by: CallerActor, input: DataContractInput): Promise<DataContract> =>
      database.transaction((tx) => createIn(tx, by, input)),

    /**
     * Creates a contract in the caller's transaction.
     *
     * @param options.mayLackTable  Accepts a table that does not exist yet.
     */
    createIn,

    replace: async (
      by: CallerActor,
      key: { readonly id: number; readonly version: number | undefined },
      change: DataContractChange,
    ): Promise<DataContract> => {
      const present = await reach(database, by.caller, key.id, 'Write');
      const next = await definitionOf(change, schedules.explain, present);
      return database.transaction((tx) => replaceIn(tx, by, key, next));
    },

    /** Updates a contract and its recipients in the caller's transaction. */
    reviseIn: async (
      tx: Tx,
      by: CallerActor,
      key: { readonly id: number; readonly version: number | undefined },
      { recipientIds = [], ...change }: DataContractInput,
    ): Promise<void> => {
      const stored = await mustFind(tx, key.id);
      const next = await definitionOf(change, schedules.explain, stored);
      const before = await replaceIn(tx, by, key, next);
      const present = before.recipients.map(({ id }) => id);
      const added = recipientIds.filter((id) => !present.includes(id));
      if (added.length > 0) {
        await attach(tx, by, key.id, added);
        await record(tx, by, 'recipients_added', before, { recipientIds: added });
      }
      for (const recipientId of present.filter((id) => !recipientIds.includes(id))) {
        await store.detachRecipient(tx, key.id, recipientId);
        await record(tx, by, 'recipient_removed', before, { recipientId });
      }
    },

    archive: (by: CallerActor, id: number): Promise<void> =>
      database.transaction(async (tx) => {
        const row = await lockForChange(tx, by, id);
        await store.archiveContract(tx, id);
        await deps.setSchedule(tx, id, undefined);
        await record(tx, by, 'contract_archived', row);
      }),

    snooze: (by: CallerActor, id: number, until: Date | null, reason: string | null): Promise<void> =>
      database.transaction(async (tx) => {
        const row = await lock(tx, by.caller, id);
        await store.setSnooze(tx, id, until, until && reason);
        await record(tx, by, until ? 'contract_snoozed' : 'contract_woken', row, {
          until: until?.toISOString() ?? null,
        });
      }),

    acknowledgeAlert: (by: CallerActor, id: number, change: AcknowledgementChange): Promise<void> =>
      database.transaction(async (tx) => {
        const row = await lock(tx, by.caller, id);
        const subject = { kind: 'Contract', id } as const;
        if (!(await changeAcknowledgement(tx, subject, by, change))) return;
        await deps.recordAcknowledgement(tx, subject, by.caller, change);
        await record(tx, by, change ? 'alert_acknowledged' : 'alert_acknowledgement_withdrawn', row);
      }),

    addRecipients: (by: CallerActor, id: number, recipientIds: readonly number[]): Promise<DataContract> =>
      database.transaction(async (tx) => {
        const row = await lockForChange(tx, by, id);
        await attach(tx, by, id, recipientIds);
        await record(tx, by, 'recipients_added', row, { recipientIds: [...recipientIds] });
        return present(await mustFind(tx, id));
      }),

    removeRecipient: (by: CallerActor, id: number, recipientId: number): Promise<void> =>
      database.transaction(async (tx) => {
        const row = await lockForChange(tx, by, id);
        if (!(await store.detachRecipient(tx, id, recipientId))) throw notFound();
        await record(tx, by, 'recipient_removed', row, { recipientId });
      }),

    /** The route checks permission: a UserAdmin changes owners without access to the project. */
    changeOwner: (by: CallerActor, id: number, userId: number): Promise<void> =>
      database.transaction(async (tx) => {
        await store.lockContract(tx, id);
        const row = await mustFind(tx, id);
        await requireOwner(tx, rights, userId, row.projectId);
        await store.setOwner(tx, id, userId);
        await record(tx, by, 'owner_changed', row, { from: row.ownerUserId, to: userId });
      }),
  };
}

type ContractTable = Pick<store.ContractSettings, 'dataSourceId' | 'schemaName' | 'tableName'>;

const isSameTable = (one: ContractTable, other: ContractTable): boolean =>
  one.dataSourceId === other.dataSourceId &&
  one.schemaName === other.schemaName &&
  one.tableName === other.tableName;
