import { listUsers } from '@svc/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../../lib/call.ts';

/** Enabled users whose name contains the text. Only a UserAdmin may query them. */
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
