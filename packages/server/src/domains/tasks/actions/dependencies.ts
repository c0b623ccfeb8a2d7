import type { Database } from '../../../platform/db/index.ts';
import type { Audit } from '../../audit/index.ts';
import type { NoticesService } from '../../notices/index.ts';
import type { ProjectRights } from '../../projects/index.ts';
import type { OrderLook } from '../clock.ts';
import type { RecordTask } from '../record.ts';

export type TaskActionsDeps = {
  readonly database: Database;
  readonly rights: ProjectRights;
  readonly audit: Audit;
  readonly notices: Pick<NoticesService, 'readersAmong'>;
  readonly record: RecordTask;
  readonly orderLook: OrderLook;
};

/** Task to change. `version`: the version that the caller read, if sent. */
export type TaskKey = { readonly id: number; readonly version?: number | undefined };
