import type {
  DestinationColumn,
  RejectedRow,
  TableName,
  WriteCounts,
  WriteMode,
} from '@svc/connectors/writers';
import type { DataSourceTarget, MaskingRules } from '../run-sql/index.ts';
import type { CopyReason } from './refusal.ts';

export type { RejectedRow, RejectionCode, TableName, WriteCounts, WriteMode } from '@svc/connectors/writers';

/** Source of the rows: one query or one table. */
export type CopySource =
  | { readonly kind: 'Query'; readonly sql: string }
  | { readonly kind: 'Table'; readonly schema: string; readonly table: string };

/** Reads only rows above the last value. For times, `lookbackSeconds` is subtracted first, because rows may arrive late. */
export type Incremental = {
  readonly column: string;
  readonly lookbackSeconds: number;
  /** Greatest value of the last completed copy. Null: all rows. */
  readonly above: string | null;
};

/** Treatment of personal data: the copy refuses it, masks it, or copies it unchanged. */
export type PersonalData = 'Refuse' | 'Mask' | 'Copy';

/** Description of a copy, for a run or an inspection. */
export type CopyDefinition = {
  readonly source: CopySource;
  readonly dataSource: DataSourceTarget;
  readonly destination: TableName;
  readonly destinationDataSource: DataSourceTarget;
  /** Creates the destination table if it does not exist. */
  readonly createsTable: boolean;
  readonly mode: WriteMode;
  /** Destination columns that identify a row. Empty: the primary key of the destination. */
  readonly keyColumns: readonly string[];
  /** Null: columns are matched by name. */
  readonly columns: readonly { readonly from: string; readonly to: string }[] | null;
  readonly incremental: Incremental | null;
  readonly personalData: PersonalData;
  /** Additional patterns of personal data. They apply regardless of the masking setting of the installation. */
  readonly masking: Pick<MaskingRules, 'customPatterns'>;
};

/** Source side of a copy. */
export type CopySide = Pick<CopyDefinition, 'source' | 'dataSource' | 'personalData' | 'masking'>;

export type CopyRequest = CopyDefinition & {
  readonly onRejectedRow: 'Fail' | 'Skip';
  /** Maximum number of rejected rows. One more ends the copy. */
  readonly rejectedRowsMax: number;
  /** Minimum number of rows at the source. With fewer rows the copy changes nothing. */
  readonly minimumSourceRows: number;
  /** Maximum share of rows that `Sync` deletes, 0 to 1. */
  readonly deletedShareMax: number;
  /** Copies the first rows and rolls back. */
  readonly isTrial: boolean;
  /** Names of this copy's staging tables, and of earlier attempts' staging tables that may still exist. */
  readonly stagingName: string;
  readonly earlierStagingNames: readonly string[];
  /** True if an earlier attempt was recorded as committing. */
  readonly mayHaveCommitted: boolean;
  readonly timeoutMs: number;
  /** If its reason is a `CopyRefusal`, the copy rejects with that refusal. */
  readonly signal: AbortSignal;
};

/** Stages of a copy before its commit. */
export type CopyStage = 'Validating' | 'Copying' | 'Applying';

export type CopyProgress = {
  readonly rowsRead: number;
  /** Size of the cells as text, before they are written. */
  readonly bytesRead: number;
  readonly rowsRejected: number;
};

export type CopyOutcome = CopyProgress & {
  readonly counts: WriteCounts;
  /** Greatest value of the incremental column. Null: no value, or not an incremental copy. */
  readonly watermark: string | null;
  /** Columns with personal data that were copied unmasked. */
  readonly unmaskedColumns: readonly string[];
};

/** Callbacks of a copy. A rejection of any callback that returns a promise ends the copy. */
export type CopyHooks = {
  /** Returns true if the destination currently accepts writes. Called at the start and before the commit. */
  readonly mayWrite: () => Promise<boolean>;
  readonly onStage: (stage: CopyStage) => Promise<void>;
  /** Receives the row estimate of the source, if the engine provides one. Not called for a trial. */
  readonly onEstimated: (rows: number) => Promise<void>;
  readonly onProgress: (progress: CopyProgress) => void;
  readonly onRejected: (rows: readonly RejectedRow[]) => Promise<void>;
  /** Records the outcome before the commit. After this call the copy may have committed. */
  readonly onCommitting: (outcome: CopyOutcome) => Promise<void>;
  /**
   * Called after the commit, also if an earlier attempt has committed. The staging tables are dropped only after this
   * promise resolves.
   */
  readonly onCommitted: () => Promise<void>;
};

/** Result of a copy that did not reject. */
export type CopyEnd = {
  /** Null if an earlier attempt has committed: the outcome recorded by that attempt applies. */
  readonly outcome: CopyOutcome | null;
  /** False: staging tables remain at the destination. */
  readonly isClean: boolean;
};

export type CopyIssue = {
  readonly severity: 'Error' | 'Warning';
  readonly code: CopyIssueCode;
  readonly column: string | null;
  readonly message: string;
  /** Reason with which a copy fails because of this issue. */
  readonly reason: CopyReason;
};

export type CopyIssueCode =
  | 'cascade'
  | 'column-twice'
  | 'column-without-source'
  | 'destination-column-missing'
  | 'generated-column'
  | 'incremental-column'
  | 'incremental-mode'
  | 'key-missing'
  | 'key-not-unique'
  | 'missing-privilege'
  | 'no-columns'
  | 'no-destination'
  | 'not-a-table'
  | 'not-transactional'
  | 'personal-data'
  | 'row-security'
  | 'same-table'
  | 'source-column-missing'
  | 'source-column-unused'
  | 'time-zone'
  | 'triggers'
  | 'type-not-convertible';

export type MappedColumn = {
  readonly from: string;
  readonly to: string;
  readonly fromType: string;
  readonly toType: string;
  readonly isPersonal: boolean;
  readonly isMasked: boolean;
};

/** A column of the source, before masking and mapping. */
export type SourceColumn = { readonly name: string; readonly type: string; readonly isPersonal: boolean };

/** Inspection of a copy. Nothing has been written. */
export type CopyInspection = {
  readonly sourceColumns: readonly SourceColumn[];
  /** Undefined: the table does not exist. */
  readonly destinationColumns: readonly DestinationColumn[] | undefined;
  readonly issues: readonly CopyIssue[];
  readonly mapping: readonly MappedColumn[];
  readonly keyColumns: readonly string[];
  /** Row estimates of the engines. Null if an engine gives none. */
  readonly estimatedRows: number | null;
  readonly targetRows: number | null;
};
