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
import { holds, type Rights } from '../../access/rights.ts';
import { call } from '../../lib/call.ts';
import { words } from '../../lib/format.ts';
import { paths } from '../../lib/paths.ts';
import type { IconName } from '../../ui/text/icons.tsx';

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
      const kinds = holds(rights, 'UserAdmin') ? [...readableKinds, findUsers] : readableKinds;
      const query = { search: text, pageSize: perKind };
      const records = await Promise.all(kinds.map((find) => find(query, { signal })));
      return records.flat();
    },
  });

/** Reads the records of one kind that match a search. */
type FindRecords = (
  query: { readonly search: string; readonly pageSize: string },
  options: { readonly signal: AbortSignal },
) => Promise<readonly NamedRecord[]>;

const findQueries: FindRecords = async (query, options) =>
  (await call(listQueries, { query }, options)).items.map((item) => ({
    id: `query ${item.id}`,
    group: 'Queries',
    label: item.name,
    hint: item.projectName,
    icon: 'query',
    to: paths.query(item.id),
  }));

const findSubscriptions: FindRecords = async (query, options) =>
  (await call(listSubscriptions, { query }, options)).items.map((item) => ({
    id: `subscription ${item.id}`,
    group: 'Subscriptions',
    label: item.queryName,
    hint: item.schedule.description,
    icon: 'subscription',
    to: paths.subscription(item.id),
  }));

const findProjects: FindRecords = async (query, options) =>
  (await call(listProjects, { query }, options)).items.map((item) => ({
    id: `project ${item.id}`,
    group: 'Projects',
    label: item.name,
    icon: 'project',
    to: paths.project(item.id),
  }));

const findAiActors: FindRecords = async (query, options) =>
  (await call(listAiActors, { query }, options)).items.map((item) => ({
    id: `actor ${item.id}`,
    group: 'AI actors',
    label: item.name,
    hint: item.projectName,
    icon: 'actor',
    to: paths.aiActor(item.id),
  }));

const findContracts: FindRecords = async (query, options) =>
  (await call(listDataContracts, { query }, options)).items.map((item) => ({
    id: `contract ${item.id}`,
    group: 'Data contracts',
    label: item.name,
    hint: item.tableName,
    icon: 'quality',
    to: paths.contract(item.id),
  }));

const findDataSources: FindRecords = async (query, options) =>
  (await call(listDataSources, { query }, options)).items.map((item) => ({
    id: `source ${item.id}`,
    group: 'Data sources',
    label: item.name,
    hint: item.engine,
    icon: 'source',
    to: paths.dataSource(item.id),
  }));

const findRecipients: FindRecords = async (query, options) =>
  (await call(listRecipients, { query }, options)).items.map((item) => ({
    id: `recipient ${item.id}`,
    group: 'Recipients',
    label: item.name,
    hint: words(item.notificationType),
    icon: 'recipient',
    to: paths.recipients({ search: item.name }),
  }));

const findUsers: FindRecords = async (query, options) =>
  (await call(listUsers, { query }, options)).items.map((item) => ({
    id: `user ${item.id}`,
    group: 'Users',
    label: item.displayName ?? item.userName,
    hint: item.userName,
    icon: 'user',
    to: paths.users({ search: item.userName }),
  }));

/** Kinds that every reader may list, in the order of the palette. */
const readableKinds: readonly FindRecords[] = [
  findQueries,
  findSubscriptions,
  findProjects,
  findAiActors,
  findContracts,
  findDataSources,
  findRecipients,
];
