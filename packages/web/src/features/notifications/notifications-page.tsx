import { Button } from '@mantine/core';
import { type RunStatus, runStatuses } from '@svc/contract';
import { useState } from 'react';
import { useRights } from '../../access/use-rights.ts';
import { words } from '../../lib/format.ts';
import { paths } from '../../lib/paths.ts';
import { notifications } from '../../requests/notifications.ts';
import { ListPage, type ListState } from '../../ui/list/list-page.tsx';
import { Icon } from '../../ui/text/icons.tsx';
import { notificationColumns } from '../../views/runs/notification-columns.tsx';
import { OwnNotices } from './own-notices.tsx';
import { ResendWindowDialog } from './resend-window-dialog.tsx';

const statusOf = (text: string | undefined): RunStatus | undefined =>
  runStatuses.find((status) => status === text);

const read = ({ status, subscriptionId, queryId, ...rest }: ListState) => {
  const known = statusOf(status);
  return notifications({
    ...rest,
    ...(known && { status: known }),
    ...(Number(subscriptionId) > 0 && { subscriptionId: Number(subscriptionId) }),
    ...(Number(queryId) > 0 && { queryId: Number(queryId) }),
  });
};

/** The history of runs: what came out, and who was told. */
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
      ]}
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
        text: 'Every run of a subscription leaves a line here: how many rows came out, who was told, and why not.',
      }}
    >
      <OwnNotices />
      {isResending && <ResendWindowDialog onClose={() => setResending(false)} />}
    </ListPage>
  );
}
