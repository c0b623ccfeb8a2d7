import { createDataContractsService, dataContractRoutes } from '../domains/data-contracts/index.ts';
import { projectRights } from '../domains/projects/index.ts';
import { createSchedules } from '../domains/subscriptions/index.ts';
import type { AdministrationPart } from './administration.ts';
import type { Ground } from './ground.ts';
import type { Part } from './part.ts';
import type { RecipientsPart } from './recipients.ts';

/** What must hold of tables. */
export function composeDataContracts(
  { database, audit, clock, settings }: Ground,
  deps: {
    readonly recipients: Pick<RecipientsPart, 'approvals'>;
    readonly adminSettings: AdministrationPart['adminSettings'];
  },
): Part {
  const contracts = createDataContractsService({
    database,
    rights: projectRights,
    audit,
    schedules: createSchedules({
      minimumIntervalSeconds: settings.subscriptions.minimumIntervalSeconds,
      defaultTimeZone: async () => (await deps.adminSettings.valueOf('defaultTimeZone')) ?? 'UTC',
      now: () => clock.now(),
    }),
    recipientState: deps.recipients.approvals.stateOf,
  });
  return { routes: dataContractRoutes(contracts, () => clock.now()) };
}
