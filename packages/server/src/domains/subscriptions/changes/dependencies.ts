import type { Executor, Tx } from '../../../platform/db/index.ts';
import type { RecordAcknowledgement } from '../../alerts/index.ts';
import type { Audit } from '../../audit/index.ts';
import type { ProjectRights } from '../../projects/index.ts';
import type { FoundQuery } from '../../queries/index.ts';
import type { RowRoutings } from '../../row-routing/index.ts';
import type { SubscriptionReader } from '../reader.ts';
import type { Schedules } from '../schedule.ts';

/** Dependencies of the changes. Each change names the members that it uses. */
export type ChangeDeps = {
  readonly reader: SubscriptionReader;
  readonly schedules: Schedules;
  readonly rights: ProjectRights;
  readonly audit: Audit;
  /** Returns a query as it would run, without a check of rights; undefined when it does not exist. */
  readonly loadQuery: (executor: Executor, queryId: number) => Promise<FoundQuery | undefined>;
  /** Checks values against the query's parameters. A refusal names the invalid value. */
  readonly checkParameters: (query: FoundQuery, values: Readonly<Record<string, unknown>>) => void;
  /** Starts or stops the schedule, in the transaction that changes the subscription. */
  readonly setSchedule: (
    tx: Tx,
    subscriptionId: number,
    schedule: { cronExpression: string; timeZone: string } | undefined,
  ) => Promise<void>;
  /** Moves the slug of a subscription to its replacement. */
  readonly moveDefinition: (tx: Tx, fromId: number, toId: number) => Promise<void>;
  /** Moves the open task of a subscription to its replacement. */
  readonly moveOpenTask: (tx: Tx, fromId: number, toId: number) => Promise<void>;
  /** Adds an acknowledgement to the timeline of the open task. */
  readonly recordAcknowledgement: RecordAcknowledgement;
  readonly routings: Pick<RowRoutings, 'read' | 'replace' | 'copy'>;
};

/** Subscription to change. `version`: the version that the caller read, if sent. */
export type SubscriptionKey = { readonly id: number; readonly version: number | undefined };
