import type { JobState } from '@svc/jobs';
import { Button } from '../../parts/controls.tsx';
import type { BulkAct } from './bulk-dialog.tsx';

const possible: Readonly<Record<JobState, readonly BulkAct[]>> = {
  Scheduled: ['requeue', 'cancel'],
  Enqueued: ['cancel'],
  AwaitingParent: ['requeue', 'cancel'],
  AwaitingRetry: ['requeue', 'cancel'],
  Processing: ['cancel'],
  Completed: ['requeue', 'delete'],
  Failed: ['requeue', 'delete'],
  Cancelled: ['requeue', 'delete'],
};
const actionWords: Readonly<Record<BulkAct, string>> = {
  requeue: 'Requeue',
  cancel: 'Cancel',
  delete: 'Delete',
};
const allActions: readonly BulkAct[] = ['requeue', 'cancel', 'delete'];

/** Returns the actions on jobs of a state. Without a state, all actions are possible. */
export const bulkActions = (state: JobState | undefined): readonly BulkAct[] =>
  state ? possible[state] : allActions;

type Props = {
  readonly actions: readonly BulkAct[];
  /** Text after the name of the action. */
  readonly suffix?: string;
  readonly onAction: (action: BulkAct) => void;
};

/** Buttons of bulk actions. Each opens the dialog that confirms the action. */
export const BulkButtons = ({ actions, suffix = '', onAction }: Props) =>
  actions.map((action) => (
    <Button key={action} kind={action === 'requeue' ? 'default' : 'danger'} onClick={() => onAction(action)}>
      {actionWords[action]}
      {suffix}
    </Button>
  ));
