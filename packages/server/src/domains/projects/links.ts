import type { ListQuery, Page, ProjectDataSource } from '@svc/contract';
import { type Caller, holds, isAdmin } from '../../platform/access/index.ts';
import { type Database, isUniqueViolation } from '../../platform/db/index.ts';
import { conflict, forbidden, notFound, pageOf, pageRequest } from '../../platform/http/index.ts';
import type { Audit, CallerActor } from '../audit/index.ts';
import { assertUnmanaged } from '../managed-records/index.ts';
import { mayLink, reachOf } from './access.ts';
import * as store from './link-store.ts';
import { lockForChange, requireRight } from './lock.ts';
import { presentLinkedSource } from './present.ts';
import { isLiveProject } from './store.ts';

export type LinksService = {
  readonly list: (
    caller: Caller,
    projectId: number,
    query: ListQuery & { search?: string },
  ) => Promise<Page<ProjectDataSource>>;
  readonly link: (by: CallerActor, projectId: number, dataSourceId: number) => Promise<ProjectDataSource>;
  readonly unlink: (by: CallerActor, projectId: number, dataSourceId: number) => Promise<void>;
};

export type LinksDeps = { readonly database: Database; readonly audit: Audit };

const namedQueriesMax = 10;

/** Creates the service for links between projects and data sources. */
export function createLinksService({ database, audit }: LinksDeps): LinksService {
  return {
    list: async (caller, projectId, query) => {
      await requireRight(database, caller, projectId, 'Read');
      const page = pageRequest(query, { sortable: store.linkSortable, byDefault: 'name', unique: 'd.id' });
      const filter = { search: query.search || null };
      const { rows, total } = await store.listLinks(database, projectId, filter, page);
      return pageOf(rows.map(presentLinkedSource), total, page);
    },

    link: (by, projectId, dataSourceId) =>
      database.transaction(async (tx) => {
        await lockForChange(tx, by.caller, projectId, 'Write');
        await assertUnmanaged(tx, by, 'Project', projectId);
        const facts = await store.findLinkFacts(tx, reachOf(by.caller), dataSourceId);
        const seesAll = isAdmin(by.caller) || holds(by.caller, 'DataSourceAdmin');
        if (!facts || !(facts.isReadable || seesAll)) throw notFound();
        if (!mayLink(by.caller, facts)) {
          throw forbidden(
            'link-not-allowed',
            'Linking this data source needs a DataSourceAdmin, or a ProjectAdmin of a project that holds it already.',
          );
        }
        const link = { projectId, dataSourceId, linkedByUserId: by.caller.userId };
        await store.insertLink(tx, link).catch((error: unknown) => {
          if (!isUniqueViolation(error, 'project_data_sources_pkey')) throw error;
          throw conflict('already-linked', 'The data source is linked to this project already.');
        });
        await audit.record(tx, {
          event: 'projects.data_source_linked',
          by,
          ...about(projectId, dataSourceId),
        });
        const row = await store.findLink(tx, projectId, dataSourceId);
        if (!row) throw notFound();
        return presentLinkedSource(row);
      }),

    unlink: (by, projectId, dataSourceId) =>
      database.transaction(async (tx) => {
        if (!(await isLiveProject(tx, projectId))) throw notFound();
        await assertUnmanaged(tx, by, 'Project', projectId);
        const isDeleted = await store.deleteLink(tx, projectId, dataSourceId);
        if (!isDeleted) throw notFound();
        const users = await store.queriesUsing(tx, projectId, dataSourceId, namedQueriesMax);
        if (users.length > 0) {
          throw conflict(
            'data-source-in-use',
            `Queries of this project use the data source: ${users.join(', ')}.`,
          );
        }
        await audit.record(tx, {
          event: 'projects.data_source_unlinked',
          by,
          ...about(projectId, dataSourceId),
        });
      }),
  };
}

const about = (projectId: number, dataSourceId: number) => ({
  subject: { kind: 'data_source', id: dataSourceId },
  projectId,
});
