export { type CopyData, createCopyData } from './create-copy-data.ts';
export { type CopyReason, CopyRefusal, UnsettledCopy } from './refusal.ts';
export type {
  CopyDefinition,
  CopyEnd,
  CopyHooks,
  CopyInspection,
  CopyIssue,
  CopyOutcome,
  CopyProgress,
  CopyRequest,
  CopySide,
  CopySource,
  CopyStage,
  Incremental,
  MappedColumn,
  PersonalData,
  RejectedRow,
  RejectionCode,
  SourceColumn,
  TableName,
  WriteCounts,
  WriteMode,
} from './request.ts';
