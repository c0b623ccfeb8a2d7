import {
  listAiActors,
  listDataContracts,
  listDataSources,
  listProjects,
  listQueries,
  listRecipients,
  listSubscriptions,
  listUsers,
} from '@svc/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { holds, type Rights } from '../access/rights.ts';
import { call } from '../lib/call.ts';
import { words } from '../lib/format.ts';
import { paths } from '../lib/paths.ts';
import type { IconName } from '../ui/text/icons.tsx';

/** Record that the palette matched by name. */
export type NamedRecord = {
  readonly id: string;
  readonly group: string;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly icon: IconName;
  readonly to: string;
};

const perKind = '5';

/** Records whose name contains the text, of the kinds that the user may list. Returns no records without a text. */
export const namedRecords = (text: string, rights: Rights) =>
  queryOptions({
    queryKey: ['palette', text],
    enabled: text !== '' && rights.canRead,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<readonly NamedRecord[]> => {
      const query = { search: text, pageSize: perKind };
      const [queries, subscriptions, projects, actors, contracts, sources, recipients, users] =
        await Promise.all([
          call(listQueries, { query }, { signal }),
          call(listSubscriptions, { query }, { signal }),
          call(listProjects, { query }, { signal }),
          call(listAiActors, { query }, { signal }),
          call(listDataContracts, { query }, { signal }),
          call(listDataSources, { query }, { signal }),
          call(listRecipients, { query }, { signal }),
          holds(rights, 'UserAdmin') ? call(listUsers, { query }, { signal }) : { items: [] },
        ]);
      return [
        ...queries.items.map((item) => ({
          id: `query ${item.id}`,
          group: 'Queries',
          label: item.name,
          hint: item.projectName,
          icon: 'query' as const,
          to: paths.query(item.id),
        })),
        ...subscriptions.items.map((item) => ({
          id: `subscription ${item.id}`,
          group: 'Subscriptions',
          label: item.queryName,
          hint: item.schedule.description,
          icon: 'subscription' as const,
          to: paths.subscription(item.id),
        })),
        ...projects.items.map((item) => ({
          id: `project ${item.id}`,
          group: 'Projects',
          label: item.name,
          icon: 'project' as const,
          to: paths.project(item.id),
        })),
        ...actors.items.map((item) => ({
          id: `actor ${item.id}`,
          group: 'AI actors',
          label: item.name,
          hint: item.projectName,
          icon: 'actor' as const,
          to: paths.aiActor(item.id),
        })),
        ...contracts.items.map((item) => ({
          id: `contract ${item.id}`,
          group: 'Data contracts',
          label: item.name,
          hint: item.tableName,
          icon: 'quality' as const,
          to: paths.contract(item.id),
        })),
        ...sources.items.map((item) => ({
          id: `source ${item.id}`,
          group: 'Data sources',
          label: item.name,
          hint: item.engine,
          icon: 'source' as const,
          to: paths.dataSource(item.id),
        })),
        ...recipients.items.map((item) => ({
          id: `recipient ${item.id}`,
          group: 'Recipients',
          label: item.name,
          hint: words(item.notificationType),
          icon: 'recipient' as const,
          to: paths.recipients({ search: item.name }),
        })),
        ...users.items.map((item) => ({
          id: `user ${item.id}`,
          group: 'Users',
          label: item.displayName ?? item.userName,
          hint: item.userName,
          icon: 'user' as const,
          to: paths.users({ search: item.userName }),
        })),
      ];
    },
  });
