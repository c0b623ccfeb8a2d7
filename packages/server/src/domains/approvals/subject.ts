import type { ChangedPart, ChangeKind, RecipientView } from '@svc/contract';
import type { Executor, Tx } from '../../platform/db/index.ts';
import type { CallerActor } from '../audit/index.ts';

/** A request that waits, as the domain of its subject needs it. */
export type WaitingChange = {
  readonly id: number;
  readonly kind: ChangeKind;
  readonly targetId: number;
  readonly isNew: boolean;
  /** HMAC of what is proposed, as it was when the change was submitted. */
  readonly proposedHash: string;
  /** The version of the query that is proposed; null for records that have none. */
  readonly versionId: number | null;
};

/** What reviewers see of a change of a recipient: nothing in it is a secret. */
export type RecipientReview = {
  /** Null for something new. */
  readonly before: RecipientView | null;
  readonly after: RecipientView;
  /** Both sides look the same although they differ. */
  readonly looksEqual: boolean;
};

/** What a change of a query is measured by: versions never change, so that their ids say what reviewers see. */
export type QueryReview = {
  /** Null for a new query. */
  readonly activeVersionId: number | null;
  readonly looksEqual: false;
};

/** What a plan is measured by; the plan itself is kept in its own place. */
export type PlanReview = { readonly planHash: string };

/** What is kept of each kind of request when it is over. */
export type ReviewOf = {
  readonly Recipient: RecipientReview;
  readonly Query: QueryReview;
  readonly Plan: PlanReview;
};
export type ChangeReview = ReviewOf[ChangeKind];
/** Of the kinds that are decided by their subjects: a plan is decided where it is shown. */
export type DecidedReview = Exclude<ChangeReview, PlanReview>;

/** A review of what stands there now, with a text that is another one as soon as either side is. */
export type Present<Review> = Review & { readonly stamp: string };

/**
 * What a domain does about requests of its kind. Decisions run in one transaction: the record is locked first, then
 * the request, in the order that a save of the record takes.
 */
export type ChangeSubject<Review extends DecidedReview = DecidedReview> = {
  readonly lock: (tx: Tx, targetId: number) => Promise<void>;
  /** Before and after as they are now. Never rejects for what is stored. */
  readonly review: (executor: Executor, change: WaitingChange) => Promise<Present<Review>>;
  /** Lets the change take effect. Refuses (409) when what stands there is not what was submitted. */
  readonly approve: (tx: Tx, change: WaitingChange, by: CallerActor) => Promise<void>;
  /** Marks the change as rejected; it stays without effect. */
  readonly reject: (tx: Tx, change: WaitingChange) => Promise<void>;
};

/** What is done about requests that their requesters withdraw by a route of their own. */
export type WithdrawableSubject<Review extends DecidedReview> = ChangeSubject<Review> & {
  /** Puts back what was approved. Refuses (409) when nothing was. */
  readonly restore: (tx: Tx, by: CallerActor, change: WaitingChange) => Promise<void>;
  /** How many subscriptions the record serves. */
  readonly countUses: (executor: Executor, targetId: number) => Promise<number>;
};

/** What a domain says of a change that it submits. */
export type SubmittedChange = {
  readonly kind: ChangeKind;
  readonly targetId: number;
  readonly isNew: boolean;
  readonly changedParts: readonly ChangedPart[];
  readonly proposedHash: string;
  readonly versionId: number | null;
};
