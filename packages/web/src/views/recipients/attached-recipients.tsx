import { ActionIcon, Button } from '@mantine/core';
import type { AttachedRecipient } from '@svc/contract';
import { useState } from 'react';
import type { Static } from 'typebox';
import { words } from '../../lib/format.ts';
import { recipients as findRecipients } from '../../requests/recipients.ts';
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

type Props = {
  readonly recipients: readonly Attached[];
  readonly canWrite: boolean;
  readonly isAttaching: boolean;
  readonly attach: (recipientId: number) => Promise<unknown>;
  readonly detach: (recipientId: number) => Promise<unknown>;
};

/** Recipients of a record, with controls that add and remove them. */
export function AttachedRecipients({ recipients, canWrite, isAttaching, attach, detach }: Props) {
  const [selected, setSelected] = useState<Named | null>(null);
  const attached = new Set(recipients.map((recipient) => recipient.id));
  return (
    <>
      {canWrite && (
        <div className="row wrap">
          <FoundSelect
            aria-label="Recipient to attach"
            placeholder="Find a recipient"
            find={(search, pageSize) => findRecipients({ search, pageSize, sort: 'name' })}
            admits={(recipient) => !attached.has(recipient.id)}
            value={selected}
            onChange={setSelected}
            w={240}
          />
          <Button
            disabled={selected === null}
            loading={isAttaching}
            onClick={() => void attach(selected?.id ?? 0).then(() => setSelected(null), toastProblem)}
          >
            Attach
          </Button>
        </div>
      )}
      <Table
        label="Recipients"
        columns={columns}
        rows={recipients}
        keyOf={(row) => row.id}
        actions={
          canWrite
            ? (row) => (
                <ActionIcon
                  aria-label={`Detach ${row.name}`}
                  onClick={() => void detach(row.id).catch(toastProblem)}
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
