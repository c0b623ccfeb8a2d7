/** Kinds of records that are kept in files, each after those that it refers to. */
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

/** Kinds of records that there is one of, in the service or in a project: the path of its file is always the same. */
export const settingsKinds = ['Settings', 'McpSettings', 'McpProjectSettings'] as const;
export type SettingsKind = (typeof settingsKinds)[number];

/** Kinds of records that are told apart by slugs. */
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
