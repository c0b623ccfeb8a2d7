import { ActionIcon, Button, Menu } from '@mantine/core';
import { deleteRecipient, type NotificationType, notificationTypes, type Recipient } from '@svc/contract';
import { useState } from 'react';
import { words } from '../../lib/format.ts';
import { useChange } from '../../lib/server-state.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Icon } from '../../ui/icons.tsx';
import type { Column } from '../../ui/list/columns.ts';
import { ListPage, type ListState } from '../../ui/list/list-page.tsx';
import { Status, Tag } from '../../ui/status.tsx';
import { Time } from '../../ui/time.tsx';
import { toastDone } from '../../ui/toast.tsx';
import { holds } from '../session/rights.ts';
import { useRights } from '../session/use-rights.ts';
import { DeliverySettingsDialog } from './delivery-settings-dialog.tsx';
import { RecipientDialog } from './recipient-dialog.tsx';
import { recipients } from './requests/recipients.ts';

const typeOf = (text: string | undefined): NotificationType | undefined =>
  notificationTypes.find((type) => type === text);

const read = ({ notificationType, ...rest }: ListState) => {
  const type = typeOf(notificationType);
  return recipients({ ...rest, ...(type && { notificationType: type }) });
};

function State({ row }: { readonly row: Recipient }) {
  if (row.needsDestination) return <Status tone="red">Re-enter destination</Status>;
  if (row.state === 'Approved') return <Status tone="green">Approved</Status>;
  return <Status tone={row.state === 'Rejected' ? 'red' : 'amber'}>{words(row.state)}</Status>;
}

/** Everybody and everything that can be told. */
export function RecipientsPage() {
  const canChange = holds(useRights(), 'SecurityAdmin');
  const [open, setOpen] = useState<Recipient | 'new' | null>(null);
  const [setting, setSetting] = useState<Recipient | null>(null);
  const [leaving, setLeaving] = useState<Recipient | null>(null);
  const remove = useChange(deleteRecipient);
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
            width: '240px',
            from: 800 as const,
            cell: (row: Recipient) => <code>{row.destination}</code>,
          },
        ]
      : []),
    { id: 'state', label: 'State', width: '176px', from: 480, cell: (row) => <State row={row} /> },
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
      from: 960,
      cell: (row) => <Time at={row.createdTime} isQuiet />,
    },
  ];
  const add = (
    <Button variant="filled" onClick={() => setOpen('new')}>
      Add a recipient
    </Button>
  );
  return (
    <>
      <ListPage
        id="recipients"
        title="Recipients"
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
                <ActionIcon aria-label={`Acts on ${row.name}`} size={28}>
                  <Icon name="more" />
                </ActionIcon>
              </Menu.Target>
              <Menu.Dropdown>
                <Menu.Item leftSection={<Icon name="edit" />} onClick={() => setOpen(row)}>
                  Edit
                </Menu.Item>
                <Menu.Item leftSection={<Icon name="send" />} onClick={() => setSetting(row)}>
                  Signature and repetitions
                </Menu.Item>
                <Menu.Item color="red" leftSection={<Icon name="trash" />} onClick={() => setLeaving(row)}>
                  Archive
                </Menu.Item>
              </Menu.Dropdown>
            </Menu>
          ),
        })}
        empty={{
          title: 'Nobody can be told yet',
          text: 'A recipient is one destination: an email address, a chat, an issue tracker project, or any HTTPS endpoint. Subscriptions pick from them.',
          action: canChange ? add : undefined,
        }}
      />
      {open !== null && (
        <RecipientDialog record={open === 'new' ? null : open} onClose={() => setOpen(null)} />
      )}
      {setting && <DeliverySettingsDialog record={setting} onClose={() => setSetting(null)} />}
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
          Nothing is delivered there any more. While subscriptions use it, it stays.
        </ConfirmDialog>
      )}
    </>
  );
}
