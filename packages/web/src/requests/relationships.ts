import { listRelationships, type Relationship } from '@svc/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../lib/call.ts';

const pageSize = 200;
/** Maximum number of relationships that the page draws. A larger schema is only searchable. */
const drawnMax = 5_000;

/** All relationships of a data source, loaded page by page. */
export const everyRelationship = (id: number) =>
  queryOptions({
    queryKey: [listRelationships.tag, 'everyRelationship', id] as const,
    queryFn: async ({ signal }) => {
      const all: Relationship[] = [];
      for (let page = 0; all.length < drawnMax; page += 1) {
        const query = { page: String(page), pageSize: String(pageSize) };
        const { items } = await call(listRelationships, { params: { id }, query }, { signal });
        all.push(...items);
        if (items.length < pageSize) break;
      }
      return all;
    },
  });
