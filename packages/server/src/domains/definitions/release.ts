import type { DefinitionKind } from '@svc/contract';
import type { Tx } from '../../platform/db/index.ts';
import type { Audit, CallerActor } from '../audit/index.ts';

/** How the audit calls records. */
export const subjects: Readonly<Record<DefinitionKind, string>> = {
  ...{ Settings: 'settings', McpSettings: 'mcp_settings', McpProjectSettings: 'mcp_settings' },
  ...{ DataSource: 'data_source', Recipient: 'recipient', MigrationJob: 'migration_job', Project: 'project' },
  ...{ Query: 'query', Contract: 'data_contract', Subscription: 'subscription' },
};

type Released = {
  readonly kind: DefinitionKind;
  readonly id: number;
  /** Its project, or itself where it is one. */
  readonly projectId: number | null;
};

/** Says in the audit that a record is changed by hand again. */
export const recordRelease = (
  tx: Tx,
  audit: Audit,
  by: CallerActor,
  { kind, id, projectId }: Released,
): Promise<void> =>
  audit.record(tx, {
    event: 'definitions.record_released',
    by,
    subject: { kind: subjects[kind], id },
    ...(projectId !== null && { projectId }),
  });
