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
import type { Database, Tx } from '../../platform/db/index.ts';
import { pageOf, pageRequest } from '../../platform/http/index.ts';
import type { CallerActor } from '../audit/index.ts';
import { createAcknowledge } from './changes/acknowledge.ts';
import { createArchive } from './changes/archive.ts';
import { createChangeOwner } from './changes/change-owner.ts';
import { createCreate } from './changes/create.ts';
import type { ChangeDeps, ContractKey } from './changes/dependencies.ts';
import { createAddRecipients, createRemoveRecipient } from './changes/recipients.ts';
import { createReplace } from './changes/replace.ts';
import { createRevise } from './changes/revise.ts';
import { createSnooze } from './changes/snooze.ts';
import { definitionOf } from './definition.ts';
import { presentContract, presentSummary } from './present.ts';
import { createReachContract, existingContract } from './reach.ts';
import { type ContractRow, contractSortable, listContracts } from './store.ts';

export type DataContractsDeps = ChangeDeps & {
  readonly database: Database;
  /** Returns the effective state of a recipient. The approval workflow may be disabled. */
  readonly recipientState: (state: RecipientState) => RecipientState;
};

export type DataContractsService = ReturnType<typeof createDataContractsService>;

/** Creates the service for data contracts: rules, owners, schedules and recipients per table. */
export function createDataContractsService(deps: DataContractsDeps) {
  const { database, rights, schedules } = deps;
  const reach = createReachContract(rights);
  const create = createCreate(deps);
  const replace = createReplace(deps);
  const addRecipients = createAddRecipients(deps);

  const present = (row: ContractRow): DataContract => {
    const { cronExpression, timeZone, isEnabled } = row;
    const schedule =
      cronExpression === null ? null : schedules.present(cronExpression, timeZone ?? 'UTC', isEnabled);
    const recipients = row.recipients.map((each) => ({ ...each, state: deps.recipientState(each.state) }));
    return presentContract({ ...row, recipients }, schedule);
  };

  /** Returns a change that runs in its own transaction. */
  const committed =
    <Input extends readonly unknown[]>(
      change: (tx: Tx, by: CallerActor, id: number, ...input: Input) => Promise<void>,
    ) =>
    (by: CallerActor, id: number, ...input: Input): Promise<void> =>
      database.transaction((tx) => change(tx, by, id, ...input));

  return {
    list: async (
      caller: Caller,
      query: ListQuery & { search?: string; projectId?: number; dataSourceId?: number },
    ): Promise<Page<DataContractSummary>> => {
      const page = pageRequest(query, { sortable: contractSortable, byDefault: 'name', unique: 'c.id' });
      const { search, projectId = null, dataSourceId = null } = query;
      const filter = { search: search || null, projectId, dataSourceId };
      const projectIds = await rights.readableIds(database, caller);
      const { rows, totalCount } = await listContracts(database, projectIds, filter, page);
      return pageOf(rows.map(presentSummary), totalCount, page);
    },

    get: async (caller: Caller, id: number): Promise<DataContract> =>
      present(await reach(database, caller, id, 'Read')),

    create: (by: CallerActor, input: DataContractInput): Promise<DataContract> =>
      database.transaction(async (tx) => present(await create(tx, by, input))),

    replace: async (by: CallerActor, key: ContractKey, change: DataContractChange): Promise<DataContract> => {
      const stored = await reach(database, by.caller, key.id, 'Write');
      const next = await definitionOf(change, schedules.explain, stored);
      return database.transaction(async (tx) => present(await replace(tx, by, key, next)));
    },

    addRecipients: (by: CallerActor, id: number, recipientIds: readonly number[]): Promise<DataContract> =>
      database.transaction(async (tx) => {
        await addRecipients(tx, by, id, recipientIds);
        return present(await existingContract(tx, id));
      }),

    archive: committed(createArchive(deps)),
    snooze: committed(createSnooze(deps)),
    acknowledgeAlert: committed(createAcknowledge(deps)),
    removeRecipient: committed(createRemoveRecipient(deps)),
    changeOwner: committed(createChangeOwner(deps)),

    // Changes in the caller's transaction.
    createIn: async (...input: Parameters<typeof create>): Promise<DataContract> =>
      present(await create(...input)),
    reviseIn: createRevise(deps, replace),
  };
}
