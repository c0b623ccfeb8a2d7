import { ActionIcon } from '@mantine/core';
import { type DataContract, SetDataContractOwnerBody, setDataContractOwner } from '@svc/contract';
import { useState } from 'react';
import { holds } from '../../access/rights.ts';
import { useRights } from '../../access/use-rights.ts';
import { useForm } from '../../lib/form.ts';
import { useChange } from '../../lib/server-state.ts';
import { toastDone } from '../../ui/feedback/toast.tsx';
import { FormDialog } from '../../ui/form/form-dialog.tsx';
import { FoundSelect, type Named } from '../../ui/form/found-select.tsx';
import { Icon } from '../../ui/text/icons.tsx';
import { findUsers } from './requests/users.ts';

type Owned = Pick<DataContract, 'id' | 'ownerUserId' | 'ownerName'>;

/** Owner of a contract. Users with the right can transfer the ownership. */
export function Owner({ record }: { readonly record: Owned }) {
  const [isOpen, setOpen] = useState(false);
  const canChange = holds(useRights(), 'UserAdmin');
  return (
    <>
      {record.ownerName ?? <span className="soft">Nobody</span>}{' '}
      {canChange && (
        <ActionIcon size={24} aria-label="Change owner" onClick={() => setOpen(true)}>
          <Icon name="edit" size={14} />
        </ActionIcon>
      )}
      {isOpen && <OwnerDialog record={record} onClose={() => setOpen(false)} />}
    </>
  );
}

function OwnerDialog({ record, onClose }: { readonly record: Owned; readonly onClose: () => void }) {
  const change = useChange(setDataContractOwner);
  const present: Named | null =
    record.ownerUserId === null ? null : { id: record.ownerUserId, name: record.ownerName ?? 'Somebody' };
  const form = useForm({
    schema: SetDataContractOwnerBody,
    initial: { userId: present },
    toBody: ({ userId }) => ({ ...(userId && { userId: userId.id }) }),
    send: async (body) => {
      await change.mutateAsync({ params: { id: record.id }, body });
      toastDone('Owner changed.');
      onClose();
    },
  });
  return (
    <FormDialog title="Change owner" form={form} act="Change owner" onClose={onClose}>
      <p>The owner gets notices of problems with the contract.</p>
      <FoundSelect
        label="Owner"
        find={findUsers}
        value={form.values.userId}
        error={form.errorOf('userId')}
        onChange={(picked) => form.set('userId', picked)}
        data-autofocus
      />
    </FormDialog>
  );
}
