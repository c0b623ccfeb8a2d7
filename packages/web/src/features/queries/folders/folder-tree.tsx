import { ActionIcon, Menu } from '@mantine/core';
import type { QueryFolder } from '@svc/contract';
import { type KeyboardEvent, useRef, useState } from 'react';
import { count } from '../../../lib/format.ts';
import { paths } from '../../../lib/paths.ts';
import { ProblemView } from '../../../ui/feedback/problem.tsx';
import { useGo } from '../../../ui/frame/go.ts';
import { Icon } from '../../../ui/text/icons.tsx';
import { DeleteFolderDialog, EditFolderDialog, NewFolderDialog } from './folder-dialogs.tsx';
import classes from './folder-tree.module.css';
import { folderKey, projectKey, type TreeNode, treeNodes } from './tree-nodes.ts';

/** Selection that filters the list. */
export type TreeChoice = { readonly projectId: number | undefined; readonly folderId: number | undefined };

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

const everything: TreeChoice = { projectId: undefined, folderId: undefined };

/** Folders of queries, and actions on the selected folder. */
export function FolderTree({ folders: loadedFolders, error, onRetry, choice, onChoose, canWrite }: Props) {
  const folders = loadedFolders ?? [];
  const go = useGo();
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  const byId = (id: number | null | undefined) => folders.find((folder) => folder.id === id) ?? null;
  const chosen = byId(choice.folderId);
  const shownProject = folders.find(({ projectId }) => projectId === choice.projectId);
  return (
    <nav className={classes['side']} aria-label="Folders">
      <div className={classes['head']}>
        <h2>Folders</h2>
        {canWrite && chosen && (
          <Menu position="bottom-end">
            <Menu.Target>
              <ActionIcon aria-label={`Actions for the folder ${chosen.name}`} size={28}>
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
          parent={chosen}
          project={shownProject ? { id: shownProject.projectId, name: shownProject.projectName } : null}
          onMade={({ id, projectId }) =>
            go(paths.queries({ projectId, folderId: id }), { isSaved: true, keepsFocus: true })
          }
          onClose={close}
        />
      )}
      {open === 'edit' && chosen && (
        <EditFolderDialog folder={chosen} parent={byId(chosen.parentId)} onClose={close} />
      )}
      {open === 'delete' && chosen && (
        <DeleteFolderDialog
          folder={chosen}
          onDeleted={() => onChoose({ projectId: chosen.projectId, folderId: chosen.parentId ?? undefined })}
          onClose={close}
        />
      )}
    </nav>
  );
}

/** Tree with keyboard control: arrows move and expand, Enter selects. Only one row is in the tab order. */
function Tree({
  folders,
  choice,
  onChoose,
}: Pick<Props, 'choice' | 'onChoose'> & { readonly folders: readonly QueryFolder[] }) {
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const [focused, setFocused] = useState('all');
  const list = useRef<HTMLDivElement>(null);
  const nodes = treeNodes(folders, closed);
  const keys = ['all', ...nodes.map((node) => node.key)];
  const tabKey = keys.includes(focused) ? focused : 'all';
  const chosenKey =
    choice.folderId !== undefined
      ? folderKey(choice.folderId)
      : choice.projectId === undefined
        ? 'all'
        : projectKey(choice.projectId);

  const focusOn = (key: string | undefined) => {
    if (key === undefined) return;
    setFocused(key);
    list.current?.querySelector<HTMLElement>(`[data-key="${key}"]`)?.focus();
  };
  const setOpenAt = (key: string, isOpen: boolean) =>
    setClosed((before) => {
      const next = new Set(before);
      if (isOpen) next.delete(key);
      else next.add(key);
      return next;
    });
  const choose = (node: TreeNode | undefined) =>
    onChoose(node ? { projectId: node.projectId, folderId: node.folder?.id } : everything);

  const onKeyDown = (event: KeyboardEvent<HTMLElement>, key: string, node: TreeNode | undefined) => {
    const at = keys.indexOf(key);
    const above = nodes.slice(0, at - 1).findLast((other) => other.level < (node?.level ?? 0));
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    switch (event.key) {
      case 'ArrowDown':
        focusOn(keys[at + 1]);
        break;
      case 'ArrowUp':
        focusOn(keys[at - 1]);
        break;
      case 'Home':
        focusOn(keys[0]);
        break;
      case 'End':
        focusOn(keys.at(-1));
        break;
      case 'Enter':
      case ' ':
        choose(node);
        break;
      case 'ArrowRight':
        if (node?.hasBelow && node.isOpen) focusOn(keys[at + 1]);
        else if (node?.hasBelow) setOpenAt(key, true);
        break;
      case 'ArrowLeft':
        if (node?.hasBelow && node.isOpen) setOpenAt(key, false);
        else focusOn(above?.key);
        break;
      default:
        return;
    }
    event.preventDefault();
  };

  const rows: readonly (TreeNode | undefined)[] = [undefined, ...nodes];
  return (
    <div role="tree" aria-label="Folders of queries" className={classes['tree']} ref={list}>
      {rows.map((node) => {
        const key = node?.key ?? 'all';
        return (
          <div
            key={key}
            role="treeitem"
            data-key={key}
            className={classes['item']}
            style={{ paddingLeft: 8 + ((node?.level ?? 1) - 1) * 12 }}
            aria-level={node?.level ?? 1}
            aria-selected={key === chosenKey}
            aria-expanded={node?.hasBelow ? node.isOpen : undefined}
            tabIndex={key === tabKey ? 0 : -1}
            onFocus={() => setFocused(key)}
            onClick={() => choose(node)}
            onKeyDown={(event) => onKeyDown(event, key, node)}
            title={node?.folder?.path}
          >
            {node?.hasBelow ? (
              <span
                className={classes['twist']}
                aria-hidden="true"
                onClick={(event) => {
                  event.stopPropagation();
                  setOpenAt(key, !node.isOpen);
                }}
              >
                <Icon name={node.isOpen ? 'down' : 'right'} size={12} />
              </span>
            ) : (
              <span className={classes['twist']} />
            )}
            <span className={classes['name']}>{node?.label ?? 'All queries'}</span>
            {node?.folder && <span className={classes['count']}>{count(node.folder.queryCount)}</span>}
          </div>
        );
      })}
    </div>
  );
}
