import type { QueryFolder } from '@svc/contract';
import { type KeyboardEvent, useRef, useState } from 'react';
import { count } from '../../../lib/format.ts';
import { Icon } from '../../../ui/text/icons.tsx';
import classes from './folder-tree.module.css';
import { moveOf } from './tree-keys.ts';
import { allKey, folderKey, projectKey, type TreeNode, treeNodes } from './tree-nodes.ts';

/** Selection that filters the list. */
export type TreeChoice = { readonly projectId: number | undefined; readonly folderId: number | undefined };

const everything: TreeChoice = { projectId: undefined, folderId: undefined };

type Props = {
  readonly folders: readonly QueryFolder[];
  readonly choice: TreeChoice;
  readonly onChoose: (choice: TreeChoice) => void;
};

/** Tree with keyboard control: arrows move and expand, Enter selects. Only one row is in the tab order. */
export function Tree({ folders, choice, onChoose }: Props) {
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const [focused, setFocused] = useState(allKey);
  const list = useRef<HTMLDivElement>(null);
  const nodes = treeNodes(folders, closed);
  const tabKey = nodes.some(({ key }) => key === focused) ? focused : allKey;
  const selectedKey = keyOf(choice);

  const focusOn = (key: string | undefined) => {
    if (key === undefined) return;
    setFocused(key);
    list.current?.querySelector<HTMLElement>(`[data-key="${key}"]`)?.focus();
  };
  const setOpen = (key: string, isOpen: boolean) =>
    setClosed((before) => {
      const next = new Set(before);
      if (isOpen) next.delete(key);
      else next.add(key);
      return next;
    });
  const choose = (node: TreeNode | undefined) =>
    onChoose(node ? { projectId: node.projectId, folderId: node.folder?.id } : everything);
  const onKeyDown = (event: KeyboardEvent, node: TreeNode | undefined) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const move = moveOf(event.key, nodes, node);
    if (!move) return;
    if (move.kind === 'focus') focusOn(move.key);
    else if (move.kind === 'choose') choose(node);
    else if (node) setOpen(node.key, move.kind === 'expand');
    event.preventDefault();
  };

  const rows: readonly (TreeNode | undefined)[] = [undefined, ...nodes];
  return (
    <div role="tree" aria-label="Folders of queries" className={classes['tree']} ref={list}>
      {rows.map((node) => {
        const key = node?.key ?? allKey;
        return (
          <TreeRow
            key={key}
            node={node}
            isSelected={key === selectedKey}
            isInTabOrder={key === tabKey}
            onFocus={() => setFocused(key)}
            onChoose={() => choose(node)}
            onOpen={(isOpen) => setOpen(key, isOpen)}
            onKeyDown={(event) => onKeyDown(event, node)}
          />
        );
      })}
    </div>
  );
}

function keyOf({ projectId, folderId }: TreeChoice): string {
  if (folderId !== undefined) return folderKey(folderId);
  return projectId === undefined ? allKey : projectKey(projectId);
}

type RowProps = {
  /** Undefined: the first row, which shows all queries. */
  readonly node: TreeNode | undefined;
  readonly isSelected: boolean;
  readonly isInTabOrder: boolean;
  readonly onFocus: () => void;
  readonly onChoose: () => void;
  readonly onOpen: (isOpen: boolean) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
};

function TreeRow({ node, isSelected, isInTabOrder, onFocus, onChoose, onOpen, onKeyDown }: RowProps) {
  const level = node?.level ?? 1;
  return (
    <div
      role="treeitem"
      data-key={node?.key ?? allKey}
      className={classes['item']}
      style={{ paddingLeft: 8 + (level - 1) * 12 }}
      aria-level={level}
      aria-selected={isSelected}
      aria-expanded={node?.hasBelow ? node.isOpen : undefined}
      tabIndex={isInTabOrder ? 0 : -1}
      onFocus={onFocus}
      onClick={onChoose}
      onKeyDown={onKeyDown}
      title={node?.folder?.path}
    >
      {node?.hasBelow ? (
        <span
          className={classes['twist']}
          aria-hidden="true"
          onClick={(event) => {
            event.stopPropagation();
            onOpen(!node.isOpen);
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
}
