import { ActionIcon, Menu } from '@mantine/core';
import { type Repository, removeRepository, scanRepository } from '@svc/contract';
import { useState } from 'react';
import { holds } from '../../../access/rights.ts';
import { useRights } from '../../../access/use-rights.ts';
import { ifUnchanged, useChange } from '../../../lib/server-state.ts';
import { toastProblem } from '../../../ui/feedback/toast.tsx';
import { ConfirmDialog } from '../../../ui/form/confirm-dialog.tsx';
import { Icon } from '../../../ui/text/icons.tsx';
import { ChangeRepositoryDialog, TokenDialog } from './repository-dialogs.tsx';

export function RepositoryMenu({ record }: { readonly record: Repository }) {
  const rights = useRights();
  const [open, setOpen] = useState<'change' | 'token' | 'remove' | null>(null);
  const scan = useChange(scanRepository);
  const remove = useChange(removeRepository, { headers: () => ifUnchanged(record.version) });
  const close = () => setOpen(null);
  return (
    <>
      <Menu>
        <Menu.Target>
          <ActionIcon aria-label={`Actions for ${record.name}`} size={28}>
            <Icon name="more" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={<Icon name="run" />}
            onClick={() => void scan.mutateAsync({ params: { id: record.id } }).catch(toastProblem)}
          >
            Scan
          </Menu.Item>
          <Menu.Item leftSection={<Icon name="edit" />} onClick={() => setOpen('change')}>
            Change address or branch
          </Menu.Item>
          {holds(rights, 'SecurityAdmin') && (
            <Menu.Item leftSection={<Icon name="lock" />} onClick={() => setOpen('token')}>
              {record.hasToken ? 'Replace the token' : 'Set a token'}
            </Menu.Item>
          )}
          <Menu.Item color="red" leftSection={<Icon name="trash" />} onClick={() => setOpen('remove')}>
            Remove
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {open === 'change' && <ChangeRepositoryDialog record={record} onClose={close} />}
      {open === 'token' && <TokenDialog record={record} onClose={close} />}
      {open === 'remove' && (
        <ConfirmDialog
          title={`Remove “${record.name}”?`}
          act="Remove repository"
          onConfirm={() => remove.mutateAsync({ params: { id: record.id } })}
          onClose={close}
        >
          What was found in it and its token go with it. The repository itself is not touched.
        </ConfirmDialog>
      )}
    </>
  );
}
