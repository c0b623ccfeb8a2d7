import type { ChangedPart, ChangeKind, RecipientView } from '@svc/contract';
import type { Executor, Tx } from '../../platform/db/index.ts';
import type { CallerActor } from '../audit/index.ts';

/** A pending request, in the form that the domain of its subject needs. */
export type WaitingChange = {
  readonly id: number;
  readonly kind: ChangeKind;
  readonly targetId: number;
  readonly isNew: boolean;
  /** HMAC of the proposed definition at the time of submission. */
  readonly proposedHash: string;
  /** The proposed version of the query. Null for records without versions. */
  readonly versionId: number | null;
};

/** Change of a recipient, for reviewers. It contains no secrets. */
export type RecipientReview = {
  /** Null for a new recipient. */
  readonly before: RecipientView | null;
  readonly after: RecipientView;
  /** Both sides have the same display although they differ. */
  readonly looksEqual: boolean;
};

/** Change of a query. Versions are immutable, so their ids identify the displayed content. */
export type QueryReview = {
  /** Null for a new query. */
  readonly activeVersionId: number | null;
  readonly looksEqual: false;
};

/** Change of a plan. The plan itself is stored by its own domain. */
export type PlanReview = { readonly planHash: string };

/** Stored review of each kind of request after its end. */
export type ReviewOf = {
  readonly Recipient: RecipientReview;
  readonly Query: QueryReview;
  readonly Plan: PlanReview;
};
export type ChangeReview = ReviewOf[ChangeKind];
/** Reviews of the kinds that their subjects decide. Excludes plans, which their own domain decides. */
export type DecidedReview = Exclude<ChangeReview, PlanReview>;

/** A current review, with a stamp that changes when either side changes. */
export type Present<Review> = Review & { readonly stamp: string };

/**
 * Operations of a domain on requests of its kind. A decision runs in one transaction that locks the record first, then the
 * request: the same order as a save of the record.
 */
export type ChangeSubject<Review extends DecidedReview = DecidedReview> = {
  readonly lock: (tx: Tx, targetId: number) => Promise<void>;
  /** Returns the current state before and after the change. Never rejects for invalid stored data. */
  readonly review: (executor: Executor, change: WaitingChange) => Promise<Present<Review>>;
  /** Applies the change. Refuses with 409 if the current proposal differs from the submitted one. */
  readonly approve: (tx: Tx, change: WaitingChange, by: CallerActor) => Promise<void>;
  /** Marks the change as rejected. It remains without effect. */
  readonly reject: (tx: Tx, change: WaitingChange) => Promise<void>;
};

/** Operations on requests that their requesters can withdraw by a separate route. */
export type WithdrawableSubject<Review extends DecidedReview> = ChangeSubject<Review> & {
  /** Restores the approved definition. Refuses with 409 if none was ever approved. */
  readonly restore: (tx: Tx, by: CallerActor, change: WaitingChange) => Promise<void>;
  /** Counts the subscriptions that use the record. */
  readonly countUses: (executor: Executor, targetId: number) => Promise<number>;
};

/** A change that a domain submits. */
export type SubmittedChange = {
  readonly kind: ChangeKind;
  readonly targetId: number;
  readonly isNew: boolean;
  readonly changedParts: readonly ChangedPart[];
  readonly proposedHash: string;
  readonly versionId: number | null;
};
