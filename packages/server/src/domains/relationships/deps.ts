import type { SchemaHealth } from '@svc/contract';
import type { Caller } from '../../platform/access/index.ts';
import type { Database } from '../../platform/db/index.ts';
import type { Audit } from '../audit/index.ts';
import type { RelationshipCheck } from './check.ts';
import type { Ends } from './types.ts';

export type RelationshipsDeps = {
  readonly database: Database;
  readonly audit: Audit;
  /** Counts checked and missing values of a relationship in the source, through the run-SQL gateway. */
  readonly check: (
    caller: Caller,
    dataSourceId: number,
    ends: Ends,
    signal: AbortSignal,
  ) => Promise<RelationshipCheck>;
  /** Returns queries that the caller can read and the engine can no longer plan. */
  readonly brokenQueries: (
    caller: Caller,
    dataSourceId: number,
    limit: number,
  ) => Promise<SchemaHealth['brokenQueries']>;
};
