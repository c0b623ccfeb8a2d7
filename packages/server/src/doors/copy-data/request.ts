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

/** Where rows come from: one read, or one table. */
export type CopySource =
  | { readonly kind: 'Query'; readonly sql: string }
  | { readonly kind: 'Table'; readonly schema: string; readonly table: string };

/** Reads only rows above the last value; a time less the look-back, since rows may come late. */
export type Incremental = {
  readonly column: string;
  readonly lookbackSeconds: number;
  /** The greatest value of the last copy that was completed; null: all rows. */
  readonly above: string | null;
};

/** What becomes of personal data: the copy refuses it, masks it, or copies it as it is. */
export type PersonalData = 'Refuse' | 'Mask' | 'Copy';

/** A copy as it is described, whether it is run or only looked at. */
export type CopyDefinition = {
  readonly source: CopySource;
  readonly dataSource: DataSourceTarget;
  readonly destination: TableName;
  readonly destinationDataSource: DataSourceTarget;
  /** Make the destination where it is not there. */
  readonly createsTable: boolean;
  readonly mode: WriteMode;
  /** By which rows are told apart; empty: the destination's primary key. */
  readonly keyColumns: readonly string[];
  /** Null: by name. */
  readonly columns: readonly { readonly from: string; readonly to: string }[] | null;
  readonly incremental: Incremental | null;
  readonly personalData: PersonalData;
  /** Which data is personal, beyond what is known; whether masking is on elsewhere does not matter. */
  readonly masking: Pick<MaskingRules, 'customPatterns'>;
};

/** The side of a copy that is read. */
export type CopySide = Pick<CopyDefinition, 'source' | 'dataSource' | 'personalData' | 'masking'>;

export type CopyRequest = CopyDefinition & {
  readonly onRejectedRow: 'Fail' | 'Skip';
  /** More of them end the copy. */
  readonly rejectedRowsMax: number;
  /** Fewer rows than these at the source change nothing. */
  readonly minimumSourceRows: number;
  /** `Sync` deletes at most this share, 0 to 1. */
  readonly deletedShareMax: number;
  /** Copies the first rows and rolls back. */
  readonly isTrial: boolean;
  /** What the tables that the copy needs for itself are called; those of earlier attempts that may be there still. */
  readonly stagingName: string;
  readonly earlierStagingNames: readonly string[];
  /** An earlier attempt was on record as committing. */
  readonly mayHaveCommitted: boolean;
  readonly timeoutMs: number;
  /** Its reason may be a `CopyRefusal`, which is then told. */
  readonly signal: AbortSignal;
};

/** What a copy is at before it commits. */
export type CopyStage = 'Validating' | 'Copying' | 'Applying';

export type CopyProgress = {
  readonly rowsRead: number;
  /** Of the cells as texts, before they are written. */
  readonly bytesRead: number;
  readonly rowsRejected: number;
};

export type CopyOutcome = CopyProgress & {
  readonly counts: WriteCounts;
  /** The greatest value of the incremental column; null: none, or not asked for. */
  readonly watermark: string | null;
  /** Columns that were copied as they are though they hold personal data. */
  readonly unmaskedColumns: readonly string[];
};

/** What a copy asks and tells. A rejection of any of these ends the copy. */
export type CopyHooks = {
  /** Whether the destination may be written to at this moment. Asked at the start and before the commit. */
  readonly mayWrite: () => Promise<boolean>;
  readonly onStage: (stage: CopyStage) => Promise<void>;
  /** How many rows the source means to give, where it says so. Not asked of a trial. */
  readonly onEstimated: (rows: number) => Promise<void>;
  readonly onProgress: (progress: CopyProgress) => void;
  readonly onRejected: (rows: readonly RejectedRow[]) => Promise<void>;
  /** Puts on record what will have been copied: from then on the copy may have committed. */
  readonly onCommitting: (outcome: CopyOutcome) => Promise<void>;
  /**
   * The copy has committed, or an earlier attempt of it had. What it needed for itself is dropped when this has
   * resolved, and not before.
   */
  readonly onCommitted: () => Promise<void>;
};

/** How a copy ended that did not reject. */
export type CopyEnd = {
  /** Null where an earlier attempt had committed: what it put on record holds. */
  readonly outcome: CopyOutcome | null;
  /** False: tables that it needed for itself are left at the destination. */
  readonly isClean: boolean;
};

export type CopyIssue = {
  readonly severity: 'Error' | 'Warning';
  readonly code: CopyIssueCode;
  readonly column: string | null;
  readonly message: string;
  /** What a copy fails with because of it. */
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

/** A column of the source, before anything is done about it. */
export type SourceColumn = { readonly name: string; readonly type: string; readonly isPersonal: boolean };

/** What a copy would meet. Nothing has been written. */
export type CopyInspection = {
  readonly sourceColumns: readonly SourceColumn[];
  /** Undefined: there is no such table. */
  readonly destinationColumns: readonly DestinationColumn[] | undefined;
  readonly issues: readonly CopyIssue[];
  readonly mapping: readonly MappedColumn[];
  readonly keyColumns: readonly string[];
  /** What the engines estimate; null where they cannot. */
  readonly estimatedRows: number | null;
  readonly targetRows: number | null;
};
