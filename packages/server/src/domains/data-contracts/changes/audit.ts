import type { Tx } from '../../../platform/db/index.ts';
import type { Audit, CallerActor } from '../../audit/index.ts';
import type { ContractRow } from '../store.ts';

/** Records a change of a contract in the audit. */
export const recordChange = (
  audit: Audit,
  tx: Tx,
  by: CallerActor,
  event: string,
  { id, projectId }: Pick<ContractRow, 'id' | 'projectId'>,
  detail: Readonly<Record<string, unknown>> = {},
): Promise<void> =>
  audit.record(tx, {
    by,
    event: `data_quality.${event}`,
    subject: { kind: 'data_contract', id },
    projectId,
    detail,
  });
