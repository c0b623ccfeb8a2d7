import { ActionIcon, Menu } from '@mantine/core';
import { archiveDataSource, type DataSource } from '@svc/contract';
import { useState } from 'react';
import { paths } from '../../lib/paths.ts';
import { useChange } from '../../lib/server-state.ts';
import { toastDone } from '../../ui/feedback/toast.tsx';
import { ConfirmDialog } from '../../ui/form/confirm-dialog.tsx';
import { useGo } from '../../ui/frame/go.ts';
import { Icon } from '../../ui/text/icons.tsx';
import { EditDataSourceDialog } from './edit-data-source-dialog.tsx';

type Props = {
  readonly record: DataSource;
  /** True at the end of a row, where the button is as unobtrusive as in other lists. */
  readonly isInRow?: boolean;
};

/** Actions of a data source, for its administrators. */
export function SourceMenu({ record, isInRow = false }: Props) {
  const go = useGo();
  const archive = useChange(archiveDataSource);
  const [open, setOpen] = useState<'edit' | 'archive' | null>(null);
  return (
    <>
      <Menu>
        <Menu.Target>
          <ActionIcon
            aria-label={`Actions for ${record.name}`}
            {...(isInRow ? { size: 28 } : { variant: 'default' })}
          >
            <Icon name="more" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<Icon name="edit" />} onClick={() => setOpen('edit')}>
            Edit
          </Menu.Item>
          <Menu.Item color="red" leftSection={<Icon name="trash" />} onClick={() => setOpen('archive')}>
            Archive
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {open === 'edit' && <EditDataSourceDialog record={record} onClose={() => setOpen(null)} />}
      {open === 'archive' && (
        <ConfirmDialog
          title={`Archive “${record.name}”?`}
          act="Archive data source"
          onConfirm={async () => {
            await archive.mutateAsync({ params: { id: record.id } });
            toastDone(`“${record.name}” was archived.`);
            go(paths.dataSources());
          }}
          onClose={() => setOpen(null)}
        >
          Its connection is no longer used. It cannot be archived while queries read it.
        </ConfirmDialog>
      )}
    </>
  );
}
