import { ActionIcon, Button, Menu } from '@mantine/core';
import {
  acknowledgeAlert,
  archiveSubscription,
  resetAlert,
  resetRowMemory,
  type Subscription,
  snoozeSubscription,
  withdrawAcknowledgement,
} from '@svc/contract';
import { useState } from 'react';
import { paths } from '../../lib/paths.ts';
import { useChange } from '../../lib/server-state.ts';
import { toastDone, toastProblem } from '../../ui/feedback/toast.tsx';
import { ConfirmDialog } from '../../ui/form/confirm-dialog.tsx';
import { useGo } from '../../ui/frame/go.ts';
import { LinkButton } from '../../ui/frame/link-button.tsx';
import { Icon } from '../../ui/text/icons.tsx';
import { AcknowledgeDialog } from '../../views/alerts/acknowledge-dialog.tsx';
import { SnoozeDialog } from '../../views/snooze/snooze-dialog.tsx';
import { EditSubscriptionDialog } from './edit-subscription-dialog.tsx';
import { PauseButton } from './pause-button.tsx';
import { RescheduleDialog } from './reschedule-dialog.tsx';

type Props = { readonly record: Subscription };

/** Actions of an active subscription, except its test. */
export function SubscriptionActs({ record }: Props) {
  const [open, setOpen] = useState<
    'edit' | 'schedule' | 'acknowledge' | 'snooze' | 'reset' | 'forget' | 'archive' | null
  >(null);
  const snooze = useChange(snoozeSubscription);
  const reset = useChange(resetAlert);
  const forget = useChange(resetRowMemory);
  const acknowledge = useChange(acknowledgeAlert, { touches: ['home'] });
  const withdraw = useChange(withdrawAcknowledgement, { touches: ['home'] });
  const alert = record.alertState;
  const isFiring = alert?.state === 'Firing' || alert?.state === 'Recovering';
  const close = () => setOpen(null);
  const remind = () =>
    void withdraw
      .mutateAsync({ params: { id: record.id } })
      .then(() => toastDone('Reminders continue.'), toastProblem);
  const wake = () =>
    void snooze
      .mutateAsync({ params: { id: record.id }, body: { until: null } })
      .then(() => toastDone('Its alerts are on again.'), toastProblem);
  return (
    <>
      <PauseButton record={record} />
      <Button onClick={() => setOpen('edit')}>Edit</Button>
      <Menu>
        <Menu.Target>
          <ActionIcon variant="default" aria-label="More actions">
            <Icon name="more" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setOpen('schedule')}>Change the schedule</Menu.Item>
          {isFiring && <Menu.Item onClick={() => setOpen('acknowledge')}>Acknowledge</Menu.Item>}
          {alert?.acknowledgement && <Menu.Item onClick={remind}>Withdraw the acknowledgement</Menu.Item>}
          <Menu.Item onClick={() => setOpen('snooze')}>Snooze alerts</Menu.Item>
          {record.snoozedUntil !== null && <Menu.Item onClick={wake}>End the snooze</Menu.Item>}
          {record.alertState !== null && (
            <Menu.Item onClick={() => setOpen('reset')}>Reset the alert</Menu.Item>
          )}
          {record.rememberedRows !== null && (
            <Menu.Item onClick={() => setOpen('forget')}>Forget the rows</Menu.Item>
          )}
          <Menu.Item color="red" leftSection={<Icon name="trash" />} onClick={() => setOpen('archive')}>
            Archive
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <LinkButton to={paths.subscriptions({ new: 'yes', replaces: record.id })}>Replace</LinkButton>
      {open === 'edit' && <EditSubscriptionDialog record={record} onClose={close} />}
      {open === 'schedule' && <RescheduleDialog record={record} onClose={close} />}
      {open === 'acknowledge' && (
        <AcknowledgeDialog
          name={record.queryName}
          onAcknowledge={(body) => acknowledge.mutateAsync({ params: { id: record.id }, body })}
          onClose={close}
        />
      )}
      {open === 'snooze' && (
        <SnoozeDialog
          reason={record.snoozeReason}
          timeZone={record.schedule.timeZone}
          onSnooze={(body) => snooze.mutateAsync({ params: { id: record.id }, body })}
          onClose={close}
        >
          It still runs, and opens and resolves its tasks; recipients get nothing from scheduled runs. A run
          by hand is still sent.
        </SnoozeDialog>
      )}
      {open === 'reset' && (
        <ConfirmDialog
          title="Reset the alert?"
          act="Reset alert"
          isDangerous={false}
          onConfirm={() => reset.mutateAsync({ params: { id: record.id } })}
          onClose={close}
        >
          It forgets what was sent. If the next run finds rows, they are sent as new.
        </ConfirmDialog>
      )}
      {open === 'forget' && (
        <ConfirmDialog
          title="Forget the rows?"
          act="Forget rows"
          isDangerous={false}
          onConfirm={() => forget.mutateAsync({ params: { id: record.id } })}
          onClose={close}
        >
          The next run remembers its rows and sends nothing. Later runs are compared with it.
        </ConfirmDialog>
      )}
      {open === 'archive' && <ArchiveDialog record={record} onClose={close} />}
    </>
  );
}

function ArchiveDialog({ record, onClose }: Props & { readonly onClose: () => void }) {
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
