import { listUsers } from '@svc/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../../lib/call.ts';

/** Those who are enabled and whose name holds a text; a UserAdmin alone may ask. */
export const findUsers = (search: string, pageSize: string) =>
  queryOptions({
    queryKey: ['users', 'find', search, pageSize],
    queryFn: async ({ signal }) => {
      const query = { pageSize, ...(search !== '' && { search }) };
      const page = await call(listUsers, { query }, { signal });
      return {
        ...page,
        items: page.items
          .filter(({ isEnabled }) => isEnabled)
          .map((user) => ({ id: user.id, name: user.displayName ?? user.userName })),
      };
    },
  });
