import {
  acknowledgeAlert,
  archiveSubscription,
  resetAlert,
  resetRowMemory,
  type Subscription,
  snoozeSubscription,
} from '@svc/contract';
import type { ReactNode } from 'react';
import { paths } from '../../lib/paths.ts';
import { useChange } from '../../lib/server-state.ts';
import { toastDone } from '../../ui/feedback/toast.tsx';
import { ConfirmDialog } from '../../ui/form/confirm-dialog.tsx';
import { useGo } from '../../ui/frame/go.ts';
import { AcknowledgeDialog } from '../../views/alerts/acknowledge-dialog.tsx';
import { SnoozeDialog } from '../../views/snooze/snooze-dialog.tsx';
import { EditSubscriptionDialog } from './edit-subscription-dialog.tsx';
import { RescheduleDialog } from './reschedule-dialog.tsx';

/** Action on a subscription that has a dialog. */
export type SubscriptionAction =
  | 'edit'
  | 'schedule'
  | 'acknowledge'
  | 'snooze'
  | 'reset'
  | 'forget'
  | 'archive';

type Props = { readonly record: Subscription; readonly onClose: () => void };

const dialogs: Readonly<Record<SubscriptionAction, (props: Props) => ReactNode>> = {
  edit: EditSubscriptionDialog,
  schedule: RescheduleDialog,
  acknowledge: Acknowledge,
  snooze: Snooze,
  reset: ResetDialog,
  forget: ForgetDialog,
  archive: ArchiveDialog,
};

/** Dialog of an action on a subscription. */
export function SubscriptionActionDialog({
  action,
  ...props
}: Props & { readonly action: SubscriptionAction }) {
  const ActionDialog = dialogs[action];
  return <ActionDialog {...props} />;
}

function Acknowledge({ record, onClose }: Props) {
  const acknowledge = useChange(acknowledgeAlert, { touches: ['home'] });
  return (
    <AcknowledgeDialog
      name={record.queryName}
      onAcknowledge={(body) => acknowledge.mutateAsync({ params: { id: record.id }, body })}
      onClose={onClose}
    />
  );
}

function Snooze({ record, onClose }: Props) {
  const snooze = useChange(snoozeSubscription);
  return (
    <SnoozeDialog
      reason={record.snoozeReason}
      timeZone={record.schedule.timeZone}
      onSnooze={(body) => snooze.mutateAsync({ params: { id: record.id }, body })}
      onClose={onClose}
    >
      It still runs, and opens and resolves its tasks; recipients get nothing from scheduled runs. A run by
      hand is still sent.
    </SnoozeDialog>
  );
}

function ResetDialog({ record, onClose }: Props) {
  const reset = useChange(resetAlert);
  return (
    <ConfirmDialog
      title="Reset the alert?"
      act="Reset alert"
      isDangerous={false}
      onConfirm={() => reset.mutateAsync({ params: { id: record.id } })}
      onClose={onClose}
    >
      It forgets what was sent. If the next run finds rows, they are sent as new.
    </ConfirmDialog>
  );
}

function ForgetDialog({ record, onClose }: Props) {
  const forget = useChange(resetRowMemory);
  return (
    <ConfirmDialog
      title="Forget the rows?"
      act="Forget rows"
      isDangerous={false}
      onConfirm={() => forget.mutateAsync({ params: { id: record.id } })}
      onClose={onClose}
    >
      The next run remembers its rows and sends nothing. Later runs are compared with it.
    </ConfirmDialog>
  );
}

function ArchiveDialog({ record, onClose }: Props) {
  const go = useGo();
  const archive = useChange(archiveSubscription, { touches: ['queries'] });
  return (
    <ConfirmDialog
      title="Archive this subscription?"
      act="Archive subscription"
      onConfirm={async () => {
        await archive.mutateAsync({ params: { id: record.id } });
        toastDone('The subscription was archived.', {
          to: paths.subscription(record.id),
          label: 'See it',
        });
        go(paths.subscriptions());
      }}
      onClose={onClose}
    >
      Its schedule and alerts stop. Its history stays, and it can be reactivated.
    </ConfirmDialog>
  );
}
