import type { QueryFolder } from '@svc/contract';

/** Row of the tree: a project or a folder. */
export type TreeNode = {
  readonly key: string;
  readonly label: string;
  /** 1: a project; from 2: a folder. */
  readonly level: number;
  readonly projectId: number;
  readonly folder: QueryFolder | null;
  readonly hasBelow: boolean;
  readonly isOpen: boolean;
};

/** Key of the first row, which shows the queries of all projects. */
export const allKey = 'all';
export const projectKey = (id: number): string => `p${id}`;
export const folderKey = (id: number): string => `f${id}`;

/** Returns the visible rows. The folders must be in tree order. Omits the contents of collapsed rows. */
export function treeNodes(folders: readonly QueryFolder[], closed: ReadonlySet<string>): readonly TreeNode[] {
  const withBelow = new Set(folders.map((folder) => folder.parentId));
  const projects = [...new Map(folders.map((folder) => [folder.projectId, folder.projectName]))].sort(
    ([, name], [, otherName]) => name.localeCompare(otherName),
  );
  return projects.flatMap(([projectId, label]) => {
    const key = projectKey(projectId);
    const isOpen = !closed.has(key);
    const project = { key, label, level: 1, projectId, folder: null, hasBelow: true, isOpen };
    if (!isOpen) return [project];
    const hidden = new Set<number>();
    const rows = folders.flatMap((folder): TreeNode[] => {
      if (folder.projectId !== projectId) return [];
      const isHidden = folder.parentId !== null && hidden.has(folder.parentId);
      const isFolderOpen = !closed.has(folderKey(folder.id));
      if (isHidden || !isFolderOpen) hidden.add(folder.id);
      if (isHidden) return [];
      return [
        {
          key: folderKey(folder.id),
          label: folder.name,
          level: folder.depth + 1,
          projectId,
          folder,
          hasBelow: withBelow.has(folder.id),
          isOpen: isFolderOpen,
        },
      ];
    });
    return [project, ...rows];
  });
}
