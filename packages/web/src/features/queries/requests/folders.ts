import { getQueryFolder, listQueryFolders, type QueryFolder } from '@svc/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../../lib/call.ts';
import { read } from '../../../lib/server-state.ts';
import type { FindNamed } from '../../../ui/form/found-select.tsx';

const pageSize = 200;

/**
 * All folders of readable projects, in tree order. It never returns a partial tree, because a partial tree would
 * mislead.
 */
export const allFolders = () =>
  queryOptions({
    queryKey: [listQueryFolders.tag, 'allFolders'] as const,
    queryFn: async ({ signal }): Promise<readonly QueryFolder[]> => {
      const folders: QueryFolder[] = [];
      for (let page = 0, pageCount = 1; page < pageCount; page++) {
        const query = { page: String(page), pageSize: String(pageSize) };
        const answer = await call(listQueryFolders, { query }, { signal });
        folders.push(...answer.items);
        pageCount = answer.pageCount;
      }
      return folders;
    },
  });

/** Replaces the name of a folder by its path, because names are not unique. */
const byPath = (folder: QueryFolder): QueryFolder => ({ ...folder, name: folder.path });

/** Folders whose name contains the text, of one project or of all. */
export const findFolders =
  (projectId?: number): FindNamed<QueryFolder> =>
  (search, size) => ({
    ...read(listQueryFolders, {
      query: { search, pageSize: size, ...(projectId !== undefined && { projectId }) },
    }),
    select: (page) => ({ ...page, items: page.items.map(byPath) }),
  });

export const folder = (id: number) => ({ ...read(getQueryFolder, { params: { id } }), select: byPath });
