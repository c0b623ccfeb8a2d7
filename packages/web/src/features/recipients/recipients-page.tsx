import { Button } from '@mantine/core';
import { type NotificationType, notificationTypes, type Recipient } from '@svc/contract';
import { useState } from 'react';
import { holds } from '../../access/rights.ts';
import { useRights } from '../../access/use-rights.ts';
import { words } from '../../lib/format.ts';
import { recipients } from '../../requests/recipients.ts';
import { useMakingDialog } from '../../ui/frame/making-dialog.ts';
import type { Filter } from '../../ui/list/filter-chips.tsx';
import { ListPage, type ListState } from '../../ui/list/list-page.tsx';
import { type RecipientAction, RecipientActionDialog } from './recipient-action-dialog.tsx';
import { recipientColumns } from './recipient-columns.tsx';
import { RecipientDialog } from './recipient-dialog.tsx';
import { RecipientMenu } from './recipient-menu.tsx';

const typeOf = (text: string | undefined): NotificationType | undefined =>
  notificationTypes.find((type) => type === text);

const read = ({ notificationType, ...rest }: ListState) => {
  const type = typeOf(notificationType);
  return recipients({ ...rest, ...(type && { notificationType: type }) });
};

const filters: readonly Filter[] = [
  {
    name: 'notificationType',
    label: 'Channel',
    options: notificationTypes.map((type) => ({ value: type, label: words(type) })),
  },
];

type OpenAction = { readonly action: RecipientAction; readonly record: Recipient };

/** Recipients: the people, channels and endpoints that the service can notify. */
export function RecipientsPage() {
  const rights = useRights();
  const canChange = holds(rights, 'SecurityAdmin');
  const canReview = holds(rights, 'Approver');
  const [isAdding, setAdding] = useMakingDialog();
  const [open, setOpen] = useState<OpenAction | null>(null);
  const add = canChange ? (
    <Button variant="filled" onClick={() => setAdding(true)}>
      New recipient
    </Button>
  ) : undefined;
  return (
    <>
      <ListPage
        id="recipients"
        title="Recipients"
        hasHelp
        icon="recipient"
        searchLabel="Search recipients"
        read={read}
        columns={recipientColumns(canChange)}
        filters={filters}
        keyOf={(row) => row.id}
        action={add}
        {...(canChange && {
          rowActions: (record: Recipient) => (
            <RecipientMenu
              record={record}
              canReview={canReview}
              onAction={(action) => setOpen({ action, record })}
            />
          ),
        })}
        empty={{
          title: 'No recipients yet',
          text: 'A recipient is one destination: an email address, a chat, an issue tracker project, or any HTTPS endpoint. Subscriptions pick from them.',
          action: add,
        }}
      />
      {isAdding && canChange && <RecipientDialog record={null} onClose={() => setAdding(false)} />}
      {open && <RecipientActionDialog {...open} onClose={() => setOpen(null)} />}
    </>
  );
}
