import type { Tx } from '../../../platform/db/index.ts';
import type { RecordAcknowledgement } from '../../alerts/index.ts';
import type { Audit } from '../../audit/index.ts';
import type { ProjectRights } from '../../projects/index.ts';
import type { Schedules } from '../../subscriptions/index.ts';

/** Dependencies of the changes. Each change names the members that it uses. */
export type ChangeDeps = {
  readonly rights: ProjectRights;
  readonly audit: Audit;
  readonly schedules: Schedules;
  /** Starts the schedule of a contract's evaluations in the caller's transaction. Without a schedule, stops it. */
  readonly setSchedule: (
    tx: Tx,
    contractId: number,
    schedule: { readonly cronExpression: string; readonly timeZone: string } | undefined,
  ) => Promise<void>;
  readonly recordAcknowledgement: RecordAcknowledgement;
};

/** Contract to change. `version`: the version that the caller read, if sent. */
export type ContractKey = { readonly id: number; readonly version: number | undefined };
