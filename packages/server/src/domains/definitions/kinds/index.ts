import type { DefinitionKind } from '@svc/contract';
import { contractKind } from './contract/index.ts';
import { dataSourceKind } from './data-source/index.ts';
import type { AnyKind } from './kind.ts';
import { mcpProjectSettingsKind, mcpSettingsKind } from './mcp-settings.ts';
import { migrationJobKind } from './migration-job.ts';
import { projectKind } from './project.ts';
import { queryKind } from './query.ts';
import { recipientKind } from './recipient.ts';
import { settingsKind } from './settings/index.ts';
import { subscriptionKind } from './subscription/index.ts';

export type KindsDeps = Parameters<typeof projectKind>[0] &
  Parameters<typeof queryKind>[0] &
  Parameters<typeof subscriptionKind>[0] &
  Parameters<typeof contractKind>[0] &
  Parameters<typeof recipientKind>[0] &
  Parameters<typeof dataSourceKind>[0] &
  Parameters<typeof migrationJobKind>[0] &
  Parameters<typeof settingsKind>[0] &
  Parameters<typeof mcpSettingsKind>[0];

/** Returns every kind of record that files define. */
export function createKinds(deps: KindsDeps): (name: DefinitionKind) => AnyKind {
  const kinds: Readonly<Record<DefinitionKind, AnyKind>> = {
    Settings: settingsKind(deps),
    McpSettings: mcpSettingsKind(deps),
    MigrationJob: migrationJobKind(deps),
    McpProjectSettings: mcpProjectSettingsKind(deps),
    DataSource: dataSourceKind(deps),
    Recipient: recipientKind(deps),
    Project: projectKind(deps),
    Query: queryKind(deps),
    Contract: contractKind(deps),
    Subscription: subscriptionKind(deps),
  };
  return (name) => kinds[name];
}
