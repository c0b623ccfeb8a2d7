import { getQueryFolder, listQueryFolders, type QueryFolder } from '@svc/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../../lib/call.ts';
import { read } from '../../../lib/server-state.ts';
import type { FindNamed } from '../../../ui/form/found-select.tsx';

const pageSize = 200;

/** Every folder of readable projects, in the order of the tree: a tree of which a part is missing misleads. */
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

/** A folder is told from its namesakes by its path. */
const byPath = (folder: QueryFolder): QueryFolder => ({ ...folder, name: folder.path });

/** Folders by a part of their name; of one project or of all. */
export const findFolders =
  (projectId?: number): FindNamed<QueryFolder> =>
  (search, size) => ({
    ...read(listQueryFolders, {
      query: { search, pageSize: size, ...(projectId !== undefined && { projectId }) },
    }),
    select: (page) => ({ ...page, items: page.items.map(byPath) }),
  });

/** One folder. */
export const folder = (id: number) => ({ ...read(getQueryFolder, { params: { id } }), select: byPath });
