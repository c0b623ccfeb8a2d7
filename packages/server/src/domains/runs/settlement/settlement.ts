import type { Message } from '@svc/channels';
import type { RunKey } from '../../../gateways/send/index.ts';
import type { NextAlert, StoredAlert } from '../../alerts/index.ts';
import type { Assessment } from '../../anomalies/index.ts';
import type { SavedQueryPlan } from '../../queries/index.ts';
import type { RunReason } from '../../run-history/index.ts';
import type { OwnMessage } from '../../run-messages/index.ts';
import type { EndStatus } from '../ending.ts';
import type { ComparedMemory } from '../execute-query.ts';
import type { Outgoing } from '../send-messages.ts';
import type { QueryOutcome } from '../store/save-outcome.ts';

/** State that a settlement depends on, in addition to the run and its result. */
export type RunState = {
  readonly plan: Pick<SavedQueryPlan, 'dataSourceNames' | 'queryText'>;
  /** Row count of the last earlier run with a result; null without one. */
  readonly previousResultCount: number | null;
  /** Assessment of the row count against earlier counts. Null when counts are not watched, or too few exist. */
  readonly assessment: Assessment | null;
  /** True if the previous run timed out, too. Its message then covers a timeout of this run. */
  readonly isAfterTimeout: boolean;
  readonly now: Date;
  /** Link to the run; undefined without a base URL. */
  readonly notificationUrl: string | undefined;
};

/** State that changes concurrently. The transaction that stores the settlement locks it. */
export type LockedState = {
  /** Alert before the run. Null without an alert, and after a timeout. */
  readonly alert: StoredAlert | null;
  /** Other runs of the subscription with a held message. */
  readonly heldRuns: readonly RunKey[];
};

/** Next step of a settled run. */
export type NextStep =
  | ({ readonly kind: 'Send' } & Outgoing)
  /** Quiet hours delay the message. A job resumes the run at their end. */
  | { readonly kind: 'Hold'; readonly message: Message; readonly until: Date }
  /** The run ends without a message. */
  | { readonly kind: 'End'; readonly status: EndStatus; readonly reason: RunReason | null };

/** All consequences of the result of a run, as a value. */
export type Settlement = {
  readonly next: NextStep;
  /** Fields of the run's record that depend on its result. */
  readonly outcome: Omit<QueryOutcome, 'messageSealed' | 'heldUntil'>;
  /** Messages to store for some recipients, in place of earlier ones. Null: all recipients get the same message. */
  readonly ownMessages: readonly OwnMessage[] | null;
  /** Alert after the run. Null: the run does not change it. */
  readonly alert: NextAlert | null;
  /** Row memory that stages the rows of the run. Null: the stored rows do not change. */
  readonly stagedMemory: Pick<ComparedMemory, 'stage'> | null;
  /** Held runs that end because this run replaces them. */
  readonly supersededRuns: readonly RunKey[];
  /** Numbers of the messages that are not sent and have a file. */
  readonly unsentFiles: 'All' | readonly number[];
};
