/** Kinds of records that files can define. Each kind follows the kinds that it refers to. */
export const definitionKinds = [
  'Settings',
  'McpSettings',
  'DataSource',
  'Recipient',
  'MigrationJob',
  'Project',
  'McpProjectSettings',
  'Query',
  'Contract',
  'Subscription',
] as const;
export type DefinitionKind = (typeof definitionKinds)[number];

/** Kinds with a single record in the service or in a project. The path of its file is fixed. */
export const settingsKinds = ['Settings', 'McpSettings', 'McpProjectSettings'] as const;
export type SettingsKind = (typeof settingsKinds)[number];

/** Kinds of records that slugs identify. */
export const sluggedKinds = [
  'DataSource',
  'Recipient',
  'MigrationJob',
  'Project',
  'Query',
  'Contract',
  'Subscription',
] as const satisfies readonly Exclude<DefinitionKind, SettingsKind>[];
export type SluggedKind = (typeof sluggedKinds)[number];
