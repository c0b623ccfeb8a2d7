import { ActionIcon, Menu } from '@mantine/core';
import { archiveProject, type Project, setProjectAccessMode } from '@svc/contract';
import { useState } from 'react';
import { holds } from '../../access/rights.ts';
import { useRights } from '../../access/use-rights.ts';
import { paths } from '../../lib/paths.ts';
import { useChange } from '../../lib/server-state.ts';
import { toastDone } from '../../ui/feedback/toast.tsx';
import { ConfirmDialog } from '../../ui/form/confirm-dialog.tsx';
import { useGo } from '../../ui/frame/go.ts';
import { Icon } from '../../ui/text/icons.tsx';
import { EditProjectDialog } from './edit-project-dialog.tsx';

type Props = { readonly record: Project; readonly canManage: boolean; readonly canWrite: boolean };

/** Menu of a project: its name, its access mode and its archive action. */
export function ProjectMenu({ record, canManage, canWrite }: Props) {
  const rights = useRights();
  const [open, setOpen] = useState<'edit' | 'mode' | 'archive' | null>(null);
  const canSetMode = record.accessMode === 'Open' ? holds(rights, 'UserAdmin') : rights.isAdmin;
  const close = () => setOpen(null);
  if (!canWrite && !canSetMode) return null;
  const other = otherMode(record);
  return (
    <>
      <Menu>
        <Menu.Target>
          <ActionIcon variant="default" aria-label="More actions">
            <Icon name="more" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {canWrite && (
            <Menu.Item leftSection={<Icon name="edit" />} onClick={() => setOpen('edit')}>
              Rename or describe
            </Menu.Item>
          )}
          {canSetMode && (
            <Menu.Item
              leftSection={<Icon name={other === 'Open' ? 'open' : 'lock'} />}
              onClick={() => setOpen('mode')}
            >
              {other === 'Open' ? 'Open to everybody with a role' : 'Restrict to members'}
            </Menu.Item>
          )}
          {canManage && (
            <Menu.Item color="red" leftSection={<Icon name="trash" />} onClick={() => setOpen('archive')}>
              Archive
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {open === 'edit' && <EditProjectDialog record={record} onClose={close} />}
      {open === 'mode' && <AccessModeDialog record={record} onClose={close} />}
      {open === 'archive' && <ArchiveDialog record={record} onClose={close} />}
    </>
  );
}

const otherMode = ({ accessMode }: Project) => (accessMode === 'Open' ? 'Restricted' : 'Open');

type DialogProps = { readonly record: Project; readonly onClose: () => void };

function AccessModeDialog({ record, onClose }: DialogProps) {
  const setMode = useChange(setProjectAccessMode);
  const other = otherMode(record);
  return (
    <ConfirmDialog
      title={other === 'Open' ? 'Open this project?' : 'Restrict this project?'}
      act={other === 'Open' ? 'Open project' : 'Restrict project'}
      isDangerous={false}
      onConfirm={() => setMode.mutateAsync({ params: { id: record.id }, body: { accessMode: other } })}
      onClose={onClose}
    >
      {other === 'Open'
        ? 'Everybody with a role will read it, and Editors will change it.'
        : 'Only its members and Admins will see it. Keys and subscriptions of others stop reaching it.'}
    </ConfirmDialog>
  );
}

function ArchiveDialog({ record, onClose }: DialogProps) {
  const go = useGo();
  const archive = useChange(archiveProject, { touches: ['queries', 'subscriptions'] });
  return (
    <ConfirmDialog
      title={`Archive “${record.name}”?`}
      act="Archive project"
      onConfirm={async () => {
        await archive.mutateAsync({ params: { id: record.id } });
        toastDone(`The project “${record.name}” was archived.`);
        go(paths.projects());
      }}
      onClose={onClose}
    >
      Its queries and subscriptions are archived with it, and send nothing any more.
    </ConfirmDialog>
  );
}
