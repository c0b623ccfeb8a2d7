import type { AiActionType, AiActorState, AiPlanStatus, AiThinkOrigin, AiThinkState } from '@svc/contract';
import { Status, type Tone } from '../../ui/record/status.tsx';

type Words<Key extends string> = Readonly<Record<Key, { readonly tone: Tone; readonly word: string }>>;

const actorStates: Words<AiActorState> = {
  Draft: { tone: 'neutral', word: 'Draft' },
  Active: { tone: 'green', word: 'Active' },
  Paused: { tone: 'amber', word: 'Paused' },
  Failed: { tone: 'red', word: 'Failed' },
  Archived: { tone: 'neutral', word: 'Archived' },
};

/** State of an actor. */
export const ActorState = ({ state }: { readonly state: AiActorState }) => (
  <Status tone={actorStates[state].tone}>{actorStates[state].word}</Status>
);

const planStatuses: Words<AiPlanStatus> = {
  Pending: { tone: 'amber', word: 'Waiting' },
  Applied: { tone: 'green', word: 'Applied' },
  Rejected: { tone: 'red', word: 'Rejected' },
  Withdrawn: { tone: 'neutral', word: 'Withdrawn' },
  RevisionRequested: { tone: 'blue', word: 'Revision asked' },
  Expired: { tone: 'neutral', word: 'Expired' },
};

/** State of a plan. */
export const PlanStatus = ({ status }: { readonly status: AiPlanStatus }) => (
  <Status tone={planStatuses[status].tone}>{planStatuses[status].word}</Status>
);

const thinkStates: Words<AiThinkState> = {
  Waiting: { tone: 'blue', word: 'Waiting' },
  Working: { tone: 'blue', word: 'Thinking' },
  Completed: { tone: 'green', word: 'Done' },
  Failed: { tone: 'red', word: 'Failed' },
  Cancelled: { tone: 'neutral', word: 'Cancelled' },
};

/** State of a think. */
export const ThinkState = ({ state }: { readonly state: AiThinkState }) => (
  <Status tone={thinkStates[state].tone}>{thinkStates[state].word}</Status>
);

/** Reason for a think, in words. */
export const originWords: Readonly<Record<AiThinkOrigin, string>> = {
  Request: 'Asked for',
  Refinement: 'Owner’s feedback',
  Revision: 'Reviewer’s feedback',
  Schedule: 'Schedule',
  AfterRun: 'After a run',
};

/** Effect of an action, in words. */
export const actionWords: Readonly<Record<AiActionType, string>> = {
  CreateQuery: 'New query',
  RefineQuery: 'Change a query',
  CreateSubscription: 'New subscription',
  ArchiveSubscription: 'Archive a subscription',
  CreateContract: 'New data contract',
};
