import { ActionIcon, Menu } from '@mantine/core';
import type { QueryFolder } from '@svc/contract';
import { useState } from 'react';
import { paths } from '../../../lib/paths.ts';
import { ProblemView } from '../../../ui/feedback/problem.tsx';
import { useGo } from '../../../ui/frame/go.ts';
import { Icon } from '../../../ui/text/icons.tsx';
import { DeleteFolderDialog, EditFolderDialog, NewFolderDialog } from './folder-dialogs.tsx';
import classes from './folder-tree.module.css';
import { Tree, type TreeChoice } from './tree.tsx';

type Props = {
  /** Undefined while the folders load. The tree then reserves its space. */
  readonly folders: readonly QueryFolder[] | undefined;
  /** Error of loading the folders. */
  readonly error?: unknown;
  readonly onRetry: () => void;
  readonly choice: TreeChoice;
  readonly onChoose: (choice: TreeChoice) => void;
  readonly canWrite: boolean;
};

type Open = 'new' | 'edit' | 'delete';

/** Folders of queries, and actions on the selected folder. */
export function FolderTree({ folders: loadedFolders, error, onRetry, choice, onChoose, canWrite }: Props) {
  const folders = loadedFolders ?? [];
  const go = useGo();
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  const byId = (id: number | null | undefined) => folders.find((folder) => folder.id === id) ?? null;
  const selected = byId(choice.folderId);
  const shownProject = folders.find(({ projectId }) => projectId === choice.projectId);
  return (
    <nav className={classes['side']} aria-label="Folders">
      <div className={classes['head']}>
        <h2>Folders</h2>
        {canWrite && selected && (
          <Menu position="bottom-end">
            <Menu.Target>
              <ActionIcon aria-label={`Actions for the folder ${selected.name}`} size={28}>
                <Icon name="more" />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item leftSection={<Icon name="edit" />} onClick={() => setOpen('edit')}>
                Rename or move
              </Menu.Item>
              <Menu.Item leftSection={<Icon name="trash" />} color="red" onClick={() => setOpen('delete')}>
                Delete
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        )}
        {canWrite && (
          <ActionIcon aria-label="New folder" size={28} onClick={() => setOpen('new')}>
            <Icon name="plus" />
          </ActionIcon>
        )}
      </div>
      {loadedFolders === undefined && error ? (
        <ProblemView error={error} onRetry={onRetry} />
      ) : folders.length === 0 ? (
        <p className="soft">{loadedFolders && 'No folders yet.'}</p>
      ) : (
        <Tree folders={folders} choice={choice} onChoose={onChoose} />
      )}
      {open === 'new' && (
        <NewFolderDialog
          parent={selected}
          project={shownProject ? { id: shownProject.projectId, name: shownProject.projectName } : null}
          onMade={({ id, projectId }) =>
            go(paths.queries({ projectId, folderId: id }), { isSaved: true, keepsFocus: true })
          }
          onClose={close}
        />
      )}
      {open === 'edit' && selected && (
        <EditFolderDialog folder={selected} parent={byId(selected.parentId)} onClose={close} />
      )}
      {open === 'delete' && selected && (
        <DeleteFolderDialog
          folder={selected}
          onDeleted={() =>
            onChoose({ projectId: selected.projectId, folderId: selected.parentId ?? undefined })
          }
          onClose={close}
        />
      )}
    </nav>
  );
}
