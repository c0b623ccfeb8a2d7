import type { ChangedPart, ChangeKind, DefinitionView } from '@svc/contract';
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
};

/** What reviewers see of a change: nothing in it is a secret. */
export type ChangeReview = {
  /** Null for something new. */
  readonly before: DefinitionView | null;
  readonly after: DefinitionView;
  /** Both sides look the same although they differ. */
  readonly looksEqual: boolean;
};

/** A review of what stands there now, with a text that is another one as soon as either side is. */
export type PresentReview = ChangeReview & { readonly stamp: string };

/**
 * What a domain does about requests of its kind. Decisions run in one transaction: the record is locked first, then
 * the request, in the order that a save of the record takes.
 */
export type ChangeSubject = {
  readonly lock: (tx: Tx, targetId: number) => Promise<void>;
  /** Before and after as they are now. Never rejects for what is stored. */
  readonly review: (executor: Executor, change: WaitingChange) => Promise<PresentReview>;
  /** Lets the change take effect. Refuses (409) when what stands there is not what was submitted. */
  readonly approve: (tx: Tx, change: WaitingChange) => Promise<void>;
  /** Marks the change as rejected; it stays without effect. */
  readonly reject: (tx: Tx, change: WaitingChange) => Promise<void>;
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
};
