import { ActionIcon, Menu } from '@mantine/core';
import { checkRelationship, deleteRelationship, type Relationship, verifyRelationship } from '@svc/contract';
import { useState } from 'react';
import { count } from '../../lib/format.ts';
import { ifUnchanged, useChange } from '../../lib/server-state.ts';
import { toastDone, toastProblem } from '../../ui/feedback/toast.tsx';
import { ConfirmDialog } from '../../ui/form/confirm-dialog.tsx';
import { Icon } from '../../ui/text/icons.tsx';
import { EditRelationshipDialog } from './edit-relationship-dialog.tsx';
import { endText } from './end-text.tsx';

export function RelationshipMenu({
  record,
  canWrite,
}: {
  readonly record: Relationship;
  readonly canWrite: boolean;
}) {
  const [open, setOpen] = useState<'edit' | 'delete' | null>(null);
  const params = { id: record.dataSourceId, relationshipId: record.id };
  const verify = useChange(verifyRelationship);
  const check = useChange(checkRelationship);
  const remove = useChange(deleteRelationship, { headers: () => ifUnchanged(record.version) });
  const name = `${endText(record.source)} to ${endText(record.target)}`;
  const ask = () =>
    check.mutateAsync({ params }).then(({ checkedCount, missingCount, isCut }) => {
      const looked = `${count(checkedCount)} ${isCut ? 'values (the first ones)' : 'values'} looked at`;
      toastDone(
        missingCount === 0
          ? `${looked}: each has a row in ${endText(record.target)}.`
          : `${looked}: ${count(missingCount)} have no row in ${endText(record.target)}.`,
      );
    }, toastProblem);
  const vouch = (isVerified: boolean) =>
    verify
      .mutateAsync({ params, body: { isVerified } })
      .then(() => toastDone(isVerified ? 'Verified.' : 'No longer verified.'), toastProblem);
  return (
    <>
      <Menu>
        <Menu.Target>
          <ActionIcon aria-label={`Actions for ${name}`} size={28}>
            <Icon name="more" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => void ask()}>Check the values</Menu.Item>
          {canWrite && record.origin !== 'ForeignKey' && (
            <Menu.Item leftSection={<Icon name="check" />} onClick={() => void vouch(!record.isVerified)}>
              {record.isVerified ? 'Remove verification' : 'Verify'}
            </Menu.Item>
          )}
          {canWrite && (
            <>
              <Menu.Item leftSection={<Icon name="edit" />} onClick={() => setOpen('edit')}>
                Edit
              </Menu.Item>
              <Menu.Item color="red" leftSection={<Icon name="trash" />} onClick={() => setOpen('delete')}>
                Delete
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      {open === 'edit' && <EditRelationshipDialog record={record} onClose={() => setOpen(null)} />}
      {open === 'delete' && (
        <ConfirmDialog
          title="Delete this relationship?"
          act="Delete relationship"
          onConfirm={async () => {
            await remove.mutateAsync({ params });
            toastDone('The relationship was deleted.');
          }}
          onClose={() => setOpen(null)}
        >
          {name}. Neither a refresh nor a proposal brings it back.
        </ConfirmDialog>
      )}
    </>
  );
}
