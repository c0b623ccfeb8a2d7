import type { BoundValue } from '../bound-value.ts';
import type { FileFormat } from '../duckdb/files/file-formats.ts';
import type { FileSettings } from '../duckdb/files/file-settings.ts';
import type { ConnectorErrorCode, ErrorOrigin, SqlPosition } from '../error.ts';
import type { Batch, Column } from '../values.ts';

/**
 * Kinds of child processes; each loads its engine once. `duckdb-files` runs the writer's own statements and may
 * write. The others run statements of users.
 */
export type ChildKind = 'sqlite' | 'duckdb' | 'duckdb-files';

/** Bounds that a child enforces before it sends rows. */
export type JobLimits = {
  readonly maxRows: number;
  readonly maxBytes: number;
  readonly maxCellBytes: number;
};

/** File of a DuckDB data source, and the name of its view. */
export type DuckdbFile = {
  readonly name: string;
  readonly path: string;
  readonly format: FileFormat;
  readonly settings: FileSettings;
};

/** Columns, tables and views that a statement of SQLite reads. Names are in lower case. */
export type StatementReads = {
  readonly columns: readonly { readonly table: string; readonly column: string }[];
  readonly relations: readonly SchemaRelation[];
};

/** Table, or view with its `CREATE` text. */
export type SchemaRelation = {
  readonly name: string;
  readonly columns: readonly string[];
  readonly viewSql: string | null;
};

/** Jobs of a child. `load` messages follow a `join` until `query`. */
export type Job =
  | {
      readonly type: 'sqlite';
      readonly path: string;
      readonly sql: string;
      readonly values: readonly BoundValue[];
      /** Sends the columns that the statement reads. */
      readonly wantReads: boolean;
      readonly limits: JobLimits;
    }
  | { readonly type: 'sqlite-metadata'; readonly path: string; readonly limits: MetadataLimits }
  | {
      readonly type: 'duckdb';
      readonly files: readonly DuckdbFile[];
      /** An unreadable file fails the job, even if the statement does not name it. */
      readonly needsAllFiles?: boolean;
      /** The service wrote the text. It may read the catalogue of attached files. */
      readonly isOurs?: boolean;
      readonly sql: string;
      readonly values: readonly BoundValue[];
      /** Computes the columns whose values flow into each result column. */
      readonly wantSources: boolean;
      readonly resources: DuckdbResources;
      readonly limits: JobLimits;
    }
  | {
      /** Describes how files are read. The readings arrive as one `value`. */
      readonly type: 'describe-files';
      readonly files: readonly DuckdbFile[];
      readonly resources: DuckdbResources;
    }
  | {
      /** Runs the service's own statements one after the other. The rows of each arrive as a `value`. */
      readonly type: 'duckdb-files';
      /** The only files that are read and written. */
      readonly paths: readonly string[];
      readonly statements: readonly string[];
      readonly temporaryFolder: string;
      readonly resources: DuckdbResources;
    }
  | { readonly type: 'join'; readonly resources: DuckdbResources };

export type MetadataLimits = {
  readonly maxTables: number;
  readonly maxColumnsPerTable: number;
  readonly tableNamesOnly: boolean;
};

/** Resources of one DuckDB instance. */
export type DuckdbResources = {
  readonly memoryMb: number;
  readonly temporaryMb: number;
  readonly threads: number;
};

/** Messages from the parent. `next` requests one more batch; `stop` ends a job whose remaining rows are not needed. */
export type ToChild =
  | { readonly type: 'start'; readonly job: Job }
  | { readonly type: 'next' }
  | { readonly type: 'stop' }
  | { readonly type: 'create-table'; readonly table: string; readonly columns: readonly Column[] }
  | { readonly type: 'append'; readonly batch: Batch }
  | { readonly type: 'finish-table'; readonly alias: string | null }
  | {
      readonly type: 'query';
      readonly sql: string;
      readonly values: readonly BoundValue[];
      readonly wantSources: boolean;
      readonly limits: JobLimits;
    };

/** Messages from the child. `accepted` answers each message that loads. */
export type FromChild =
  | { readonly type: 'ready'; readonly isConfined: boolean }
  | { readonly type: 'accepted' }
  | { readonly type: 'columns'; readonly columns: readonly Column[]; readonly reads?: StatementReads }
  | { readonly type: 'batch'; readonly batch: Batch }
  | { readonly type: 'value'; readonly value: unknown }
  | { readonly type: 'done' }
  | {
      readonly type: 'failed';
      readonly code: ConnectorErrorCode;
      readonly message: string;
      readonly position?: SqlPosition | undefined;
      readonly engineCode?: string | undefined;
      readonly origin: ErrorOrigin;
    };
