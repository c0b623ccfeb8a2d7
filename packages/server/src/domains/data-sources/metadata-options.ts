import type { MetadataOptions } from '@svc/contract';

/** Everything, up to the ceilings of the connectors. */
export const defaultMetadataOptions: MetadataOptions = {
  isEnabled: true,
  maxTables: null,
  maxColumnsPerTable: null,
  tableNamesOnly: false,
  includeSchemas: [],
  excludeSchemas: [],
  refreshEveryHours: 24,
};

/** Options as they are stored; only what this domain has written, so only known members. */
export const readMetadataOptions = (stored: unknown): MetadataOptions => ({
  ...defaultMetadataOptions,
  ...(stored as Partial<MetadataOptions>),
});

/** The same for a connector's call. */
export const connectorOptions = (options: MetadataOptions) => ({
  includeSchemas: options.includeSchemas,
  excludeSchemas: options.excludeSchemas,
  tableNamesOnly: options.tableNamesOnly,
  ...(options.maxTables !== null && { maxTables: options.maxTables }),
  ...(options.maxColumnsPerTable !== null && { maxColumnsPerTable: options.maxColumnsPerTable }),
});
