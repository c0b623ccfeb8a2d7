import type { MetadataOptions } from '@svc/contract';

/** Includes all tables, up to the limits of the connectors. */
export const defaultMetadataOptions: MetadataOptions = {
  isEnabled: true,
  maxTables: null,
  maxColumnsPerTable: null,
  tableNamesOnly: false,
  includeSchemas: [],
  excludeSchemas: [],
  refreshEveryHours: 24,
};

/** Adds defaults to stored options. Only this domain writes them, so all members are valid. */
export const readMetadataOptions = (stored: unknown): MetadataOptions => ({
  ...defaultMetadataOptions,
  ...(stored as Partial<MetadataOptions>),
});

/** Converts options to the format of a connector. */
export const connectorOptions = (options: MetadataOptions) => ({
  includeSchemas: options.includeSchemas,
  excludeSchemas: options.excludeSchemas,
  tableNamesOnly: options.tableNamesOnly,
  ...(options.maxTables !== null && { maxTables: options.maxTables }),
  ...(options.maxColumnsPerTable !== null && { maxColumnsPerTable: options.maxColumnsPerTable }),
});
