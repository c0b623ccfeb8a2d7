import { ActionIcon, Button } from '@mantine/core';
import {
  type AttachedRecipient,
  addSubscriptionRecipients,
  removeSubscriptionRecipient,
  type Subscription,
} from '@svc/contract';
import { useState } from 'react';
import type { Static } from 'typebox';
import { words } from '../../lib/format.ts';
import { useChange } from '../../lib/server-state.ts';
import { recipients } from '../../requests/recipients.ts';
import { toastProblem } from '../../ui/feedback/toast.tsx';
import { FoundSelect, type Named } from '../../ui/form/found-select.tsx';
import type { Column } from '../../ui/list/columns.ts';
import { Table } from '../../ui/list/table.tsx';
import { Status } from '../../ui/record/status.tsx';
import { Icon } from '../../ui/text/icons.tsx';

type Attached = Static<typeof AttachedRecipient>;

const columns: readonly Column<Attached>[] = [
  { id: 'name', label: 'Name', cell: (row) => row.name },
  { id: 'type', label: 'Channel', width: '136px', cell: (row) => words(row.notificationType) },
  {
    id: 'state',
    label: 'State',
    width: '168px',
    from: 480,
    cell: (row) => <Status tone={row.state === 'Approved' ? 'green' : 'amber'}>{words(row.state)}</Status>,
  },
];

type Props = { readonly record: Subscription; readonly canWrite: boolean };

/** Whom the subscription tells. */
export function SubscriptionRecipients({ record, canWrite }: Props) {
  const add = useChange(addSubscriptionRecipients, { touches: ['recipients'] });
  const remove = useChange(removeSubscriptionRecipient, { touches: ['recipients'] });
  const [chosen, setChosen] = useState<Named | null>(null);
  const attached = new Set(record.recipients.map((recipient) => recipient.id));
  const attach = () =>
    add
      .mutateAsync({ params: { id: record.id }, body: { recipientIds: [chosen?.id ?? 0] } })
      .then(() => setChosen(null), toastProblem);
  return (
    <>
      {canWrite && (
        <div className="row wrap">
          <FoundSelect
            aria-label="Recipient to attach"
            placeholder="Find a recipient"
            find={(search, pageSize) => recipients({ search, pageSize, sort: 'name' })}
            admits={(recipient) => !attached.has(recipient.id)}
            value={chosen}
            onChange={setChosen}
            w={240}
          />
          <Button disabled={chosen === null} loading={add.isPending} onClick={() => void attach()}>
            Attach
          </Button>
        </div>
      )}
      <Table
        label="Recipients"
        columns={columns}
        rows={record.recipients}
        keyOf={(row) => row.id}
        actions={
          canWrite
            ? (row) => (
                <ActionIcon
                  aria-label={`Detach ${row.name}`}
                  onClick={() =>
                    void remove
                      .mutateAsync({ params: { id: record.id, recipientId: row.id } })
                      .catch(toastProblem)
                  }
                >
                  <Icon name="close" />
                </ActionIcon>
              )
            : undefined
        }
      />
    </>
  );
}
