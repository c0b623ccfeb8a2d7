export type { EngineName } from '@svc/contract';
export type { BoundValue } from './bound-value.ts';
export { type Connectors, type ConnectorsOptions, createConnectors } from './connectors.ts';
export { createReaderPauses, pauseMaxMs, type ReaderPauses } from './deadline.ts';
export { distinctNames } from './distinct-names.ts';
export type { FileReading } from './duckdb/files/file-reading.ts';
export { assertJoinQuery, type Join, type JoinTable } from './duckdb/join/join.ts';
export {
  ConnectorError,
  type ConnectorErrorCode,
  type ConnectorErrorDetails,
  positionAt,
  type SqlPosition,
} from './error.ts';
export { engineOfFile, isUploadable, tableNameOf } from './files/file-kinds.ts';
export { createFilePolicy, type FilePolicy, type FilePolicyOptions } from './files/file-policy.ts';
export { type JsonForm, jsonFormOf } from './json-form.ts';
export type { ColumnSources, SourceName } from './lineage/query.ts';
export type {
  BoundType,
  CallOptions,
  ColumnMetadata,
  ConnectionTest,
  ConnectionWarning,
  Connector,
  Dial,
  ExecuteOptions,
  ForeignKeyMetadata,
  IndexMetadata,
  Metadata,
  MetadataOptions,
  PassThroughForm,
  PassThroughRead,
  PassThroughTake,
  PassThroughType,
  ResultStream,
  Statement,
  TableMetadata,
} from './port.ts';
export { type DatabaseIdentity, readDatabaseIdentity } from './postgresql/connection/identity.ts';
export type { SettingsForm } from './settings.ts';
export { duckdbDialect, type SqlDialect } from './sql/dialects.ts';
export type { DryRun, Plan } from './sql/dry-run.ts';
export {
  escapedPlaceholderEnd,
  placeholderEnd,
  placeholderName,
  readSqlTokens,
  type SqlToken,
  tokenText,
} from './sql/lexer.ts';
export type { PlanNode } from './sql/plan/node.ts';
export {
  type Batch,
  type Cell,
  type Column,
  type ColumnKind,
  type ColumnOrigin,
  decimalCell,
} from './values.ts';
