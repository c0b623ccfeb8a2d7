import { Button } from '@mantine/core';
import { type Notification, type RunStatus, runStatuses } from '@svc/contract';
import { useState } from 'react';
import { useRights } from '../../access/use-rights.ts';
import { words } from '../../lib/format.ts';
import { paths } from '../../lib/paths.ts';
import { notifications } from '../../requests/notifications.ts';
import { findRecipients, recipient } from '../../requests/recipients.ts';
import { dayStart } from '../../ui/list/filter-chips.tsx';
import { ListPage, type ListState } from '../../ui/list/list-page.tsx';
import type { Selection } from '../../ui/list/selection.ts';
import { Icon } from '../../ui/text/icons.tsx';
import { notificationColumns } from '../../views/runs/notification-columns.tsx';
import { OwnNotices } from './own-notices.tsx';
import { ResendSelected } from './resend-selected.tsx';
import { ResendWindowDialog } from './resend-window-dialog.tsx';

const statusOf = (text: string | undefined): RunStatus | undefined =>
  runStatuses.find((status) => status === text);

const read = ({ status, subscriptionId, queryId, recipientId, from, to, ...rest }: ListState) => {
  const notificationStatus = statusOf(status);
  const [begin, end] = [dayStart(from), dayStart(to, 1)];
  return notifications({
    ...rest,
    ...(notificationStatus && { status: notificationStatus }),
    ...(Number(subscriptionId) > 0 && { subscriptionId: Number(subscriptionId) }),
    ...(Number(queryId) > 0 && { queryId: Number(queryId) }),
    ...(Number(recipientId) > 0 && { recipientId: Number(recipientId) }),
    ...(begin !== undefined && { from: begin }),
    ...(end !== undefined && { to: end }),
  });
};

const bulk = {
  nameOf: ({ queryName, id }: Notification) => `${queryName}, run ${id}`,
  acts: (selection: Selection<Notification>) => <ResendSelected selection={selection} />,
};

/** History of runs, with results and notified recipients. */
export function NotificationsPage() {
  const { canWrite } = useRights();
  const [isResending, setResending] = useState(false);
  return (
    <ListPage
      id="notifications"
      title="Notifications"
      icon="notification"
      searchLabel="Search by query"
      read={read}
      columns={notificationColumns}
      filters={[
        {
          name: 'status',
          label: 'Status',
          options: runStatuses.map((status) => ({
            value: status,
            label: status === 'Created' ? 'Under way' : words(status),
          })),
        },
        { name: 'recipientId', label: 'Recipient', find: findRecipients, one: recipient },
        { name: 'from', label: 'From', isDay: true },
        { name: 'to', label: 'To', isDay: true },
      ]}
      bulk={canWrite ? bulk : undefined}
      keyOf={(row) => row.id}
      to={(row) => paths.notification(row.id)}
      isLive
      action={
        canWrite && (
          <Button leftSection={<Icon name="send" />} onClick={() => setResending(true)}>
            Resend failed runs
          </Button>
        )
      }
      empty={{
        title: 'No subscription has run yet',
        text: 'Every run of a subscription appears here: how many rows, who got it, and why not.',
      }}
    >
      <OwnNotices />
      {isResending && <ResendWindowDialog onClose={() => setResending(false)} />}
    </ListPage>
  );
}
