import type { DefinitionKind } from '@svc/contract';
import type { Tx } from '../../platform/db/index.ts';
import type { Audit, CallerActor } from '../audit/index.ts';

/** Audit name of each kind of record. */
export const subjects: Readonly<Record<DefinitionKind, string>> = {
  Settings: 'settings',
  McpSettings: 'mcp_settings',
  McpProjectSettings: 'mcp_settings',
  DataSource: 'data_source',
  Recipient: 'recipient',
  MigrationJob: 'migration_job',
  Project: 'project',
  Query: 'query',
  Contract: 'data_contract',
  Subscription: 'subscription',
};

type Released = {
  readonly kind: DefinitionKind;
  readonly id: number;
  /** Project of the record, or the id of the record when it is a project. */
  readonly projectId: number | null;
};

/** Records in the audit that a record can be edited by hand again. */
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
