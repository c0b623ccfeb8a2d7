import { ActionIcon, Button, Menu } from '@mantine/core';
import { type Subscription, snoozeSubscription, withdrawAcknowledgement } from '@svc/contract';
import { useState } from 'react';
import { paths } from '../../lib/paths.ts';
import { useChange } from '../../lib/server-state.ts';
import { toastDone, toastProblem } from '../../ui/feedback/toast.tsx';
import { LinkButton } from '../../ui/frame/link-button.tsx';
import { Icon } from '../../ui/text/icons.tsx';
import { PauseButton } from './pause-button.tsx';
import { type SubscriptionAction, SubscriptionActionDialog } from './subscription-action-dialog.tsx';

type Props = { readonly record: Subscription };

/** Actions of an active subscription, except its test. */
export function SubscriptionActs({ record }: Props) {
  const [open, setOpen] = useState<SubscriptionAction | null>(null);
  return (
    <>
      <PauseButton record={record} />
      <Button onClick={() => setOpen('edit')}>Edit</Button>
      <MoreActions record={record} onAction={setOpen} />
      <LinkButton to={paths.subscriptions({ new: 'yes', replaces: record.id })}>Replace</LinkButton>
      {open && <SubscriptionActionDialog action={open} record={record} onClose={() => setOpen(null)} />}
    </>
  );
}

type MoreProps = Props & { readonly onAction: (action: SubscriptionAction) => void };

/** Menu with the actions that are used less often. */
function MoreActions({ record, onAction }: MoreProps) {
  const snooze = useChange(snoozeSubscription);
  const withdraw = useChange(withdrawAcknowledgement, { touches: ['home'] });
  const alert = record.alertState;
  const isFiring = alert?.state === 'Firing' || alert?.state === 'Recovering';
  const remind = () =>
    void withdraw
      .mutateAsync({ params: { id: record.id } })
      .then(() => toastDone('Reminders continue.'), toastProblem);
  const endSnooze = () =>
    void snooze
      .mutateAsync({ params: { id: record.id }, body: { until: null } })
      .then(() => toastDone('Its alerts are on again.'), toastProblem);
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon variant="default" aria-label="More actions">
          <Icon name="more" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => onAction('schedule')}>Change the schedule</Menu.Item>
        {isFiring && <Menu.Item onClick={() => onAction('acknowledge')}>Acknowledge</Menu.Item>}
        {alert?.acknowledgement && <Menu.Item onClick={remind}>Withdraw the acknowledgement</Menu.Item>}
        <Menu.Item onClick={() => onAction('snooze')}>Snooze alerts</Menu.Item>
        {record.snoozedUntil !== null && <Menu.Item onClick={endSnooze}>End the snooze</Menu.Item>}
        {record.alertState !== null && (
          <Menu.Item onClick={() => onAction('reset')}>Reset the alert</Menu.Item>
        )}
        {record.rememberedRows !== null && (
          <Menu.Item onClick={() => onAction('forget')}>Forget the rows</Menu.Item>
        )}
        <Menu.Item color="red" leftSection={<Icon name="trash" />} onClick={() => onAction('archive')}>
          Archive
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
