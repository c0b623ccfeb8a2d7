import { ActionIcon, Button, Menu } from '@mantine/core';
import {
  deleteRecipient,
  type NotificationType,
  notificationTypes,
  type Recipient,
  withdrawChange,
} from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { holds } from '../../access/rights.ts';
import { useRights } from '../../access/use-rights.ts';
import { words } from '../../lib/format.ts';
import { paths } from '../../lib/paths.ts';
import { useChange } from '../../lib/server-state.ts';
import { recipients } from '../../requests/recipients.ts';
import { recentDeliveries } from '../../requests/runs/recent-runs.ts';
import { toastDone } from '../../ui/feedback/toast.tsx';
import { ConfirmDialog } from '../../ui/form/confirm-dialog.tsx';
import { useGo } from '../../ui/frame/go.ts';
import { useMakingDialog } from '../../ui/frame/making-dialog.ts';
import type { Column } from '../../ui/list/columns.ts';
import { ListPage, type ListState } from '../../ui/list/list-page.tsx';
import { Tag } from '../../ui/record/status.tsx';
import { Icon } from '../../ui/text/icons.tsx';
import { Time } from '../../ui/text/time.tsx';
import { RecipientRibbon } from '../../views/runs/ribbon.tsx';
import { DeliverySettingsDialog } from './delivery-settings-dialog.tsx';
import { RecipientDialog } from './recipient-dialog.tsx';
import { RecipientState } from './recipient-state.tsx';
import { UsesDialog } from './uses-dialog.tsx';

const typeOf = (text: string | undefined): NotificationType | undefined =>
  notificationTypes.find((type) => type === text);

const read = ({ notificationType, ...rest }: ListState) => {
  const type = typeOf(notificationType);
  return recipients({ ...rest, ...(type && { notificationType: type }) });
};

/** Recipients: the people, channels and endpoints that the service can notify. */
export function RecipientsPage() {
  const rights = useRights();
  const canChange = holds(rights, 'SecurityAdmin');
  const canReview = holds(rights, 'Approver');
  const go = useGo();
  const [open, setOpen] = useState<Recipient | null>(null);
  const [isAdding, setAdding] = useMakingDialog();
  const [setting, setSetting] = useState<Recipient | null>(null);
  const [leaving, setLeaving] = useState<Recipient | null>(null);
  const [looking, setLooking] = useState<Recipient | null>(null);
  const [withdrawing, setWithdrawing] = useState<Recipient | null>(null);
  const remove = useChange(deleteRecipient);
  const withdraw = useChange(withdrawChange, { touches: ['recipients', 'subscriptions'] });
  const columns: readonly Column<Recipient>[] = [
    {
      id: 'name',
      label: 'Name',
      sort: 'name',
      cell: (row) => (
        <>
          <strong style={{ fontWeight: 600 }}>{row.name}</strong> {row.isDemo && <Tag>Demo</Tag>}
        </>
      ),
    },
    {
      id: 'type',
      label: 'Channel',
      sort: 'notificationType',
      width: '120px',
      cell: (row) => words(row.notificationType),
    },
    ...(canChange
      ? [
          {
            id: 'destination',
            label: 'Destination',
            width: '22%',
            from: 800 as const,
            cell: (row: Recipient) => <code>{row.destination}</code>,
          },
        ]
      : []),
    { id: 'state', label: 'State', width: '176px', from: 480, cell: (row) => <RecipientState row={row} /> },
    {
      id: 'deliveries',
      label: 'Last deliveries',
      width: '176px',
      from: 960,
      cell: (row) => <Deliveries recipientId={row.id} />,
    },
    {
      id: 'subscriptions',
      label: 'Subscriptions',
      width: '112px',
      align: 'right',
      from: 640,
      cell: (row) => <span className="mono">{row.subscriptionCount}</span>,
    },
    {
      id: 'created',
      label: 'Created',
      sort: 'createdTime',
      width: '112px',
      align: 'right',
      isExtra: true,
      cell: (row) => <Time at={row.createdTime} isQuiet />,
    },
  ];
  const add = (
    <Button variant="filled" onClick={() => setAdding(true)}>
      New recipient
    </Button>
  );
  return (
    <>
      <ListPage
        id="recipients"
        title="Recipients"
        hasHelp
        icon="recipient"
        searchLabel="Search recipients"
        read={read}
        columns={columns}
        filters={[
          {
            name: 'notificationType',
            label: 'Channel',
            options: notificationTypes.map((type) => ({ value: type, label: words(type) })),
          },
        ]}
        keyOf={(row) => row.id}
        action={canChange ? add : undefined}
        {...(canChange && {
          rowActions: (row: Recipient) => (
            <Menu>
              <Menu.Target>
                <ActionIcon aria-label={`Actions for ${row.name}`} size={28}>
                  <Icon name="more" />
                </ActionIcon>
              </Menu.Target>
              <Menu.Dropdown>
                <Menu.Item leftSection={<Icon name="edit" />} onClick={() => setOpen(row)}>
                  Edit
                </Menu.Item>
                <Menu.Item leftSection={<Icon name="send" />} onClick={() => setSetting(row)}>
                  Signing and retries
                </Menu.Item>
                <Menu.Item leftSection={<Icon name="subscription" />} onClick={() => setLooking(row)}>
                  Used by
                </Menu.Item>
                {row.pendingChange && canReview && (
                  <Menu.Item
                    leftSection={<Icon name="approval" />}
                    onClick={() => go(paths.changeApproval(row.pendingChange?.id ?? 0))}
                  >
                    Review the change
                  </Menu.Item>
                )}
                {row.pendingChange?.isOwn && (
                  <Menu.Item leftSection={<Icon name="history" />} onClick={() => setWithdrawing(row)}>
                    Withdraw the change
                  </Menu.Item>
                )}
                <Menu.Item color="red" leftSection={<Icon name="trash" />} onClick={() => setLeaving(row)}>
                  Archive
                </Menu.Item>
              </Menu.Dropdown>
            </Menu>
          ),
        })}
        empty={{
          title: 'No recipients yet',
          text: 'A recipient is one destination: an email address, a chat, an issue tracker project, or any HTTPS endpoint. Subscriptions pick from them.',
          action: canChange ? add : undefined,
        }}
      />
      {open !== null && <RecipientDialog record={open} onClose={() => setOpen(null)} />}
      {isAdding && canChange && <RecipientDialog record={null} onClose={() => setAdding(false)} />}
      {setting && <DeliverySettingsDialog record={setting} onClose={() => setSetting(null)} />}
      {looking && <UsesDialog record={looking} onClose={() => setLooking(null)} />}
      {withdrawing?.pendingChange && (
        <ConfirmDialog
          title={`Withdraw the change of ${withdrawing.name}?`}
          act="Withdraw change"
          isDangerous={false}
          onConfirm={async () => {
            await withdraw.mutateAsync({ params: { id: withdrawing.pendingChange?.id ?? 0 } });
            toastDone(`${withdrawing.name} is back to what was approved.`);
          }}
          onClose={() => setWithdrawing(null)}
        >
          Results go to the destination that was approved before.
        </ConfirmDialog>
      )}
      {leaving && (
        <ConfirmDialog
          title={`Archive ${leaving.name}?`}
          act="Archive recipient"
          onConfirm={async () => {
            await remove.mutateAsync({ params: { id: leaving.id } });
            toastDone(`${leaving.name} was archived.`);
          }}
          onClose={() => setLeaving(null)}
        >
          Nothing is delivered there any more. It cannot be archived while subscriptions use it.
        </ConfirmDialog>
      )}
    </>
  );
}

/** Results of the last deliveries to a recipient. */
function Deliveries({ recipientId }: { readonly recipientId: number }) {
  const { data = [] } = useQuery(recentDeliveries(recipientId));
  return data.length === 0 ? null : <RecipientRibbon deliveries={data} />;
}
