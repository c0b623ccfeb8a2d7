import type { DataSourceMetadata } from '@svc/contract';
import type { Caller } from '../../../platform/access/index.ts';
import type { Database } from '../../../platform/db/index.ts';
import { HttpProblem } from '../../../platform/http/index.ts';
import { plainText } from '../../../platform/text/index.ts';
import type { LinkedSource, LinkedSources } from '../../data-sources/index.ts';
import {
  findSavedQuery,
  listSavedQueries,
  type OpenDataSources,
  planSavedQuery,
  type SavedQuery,
} from '../../queries/index.ts';
import {
  findPublishedQuery,
  listPublishedQueries,
  type PublishedQuery,
  planPublishedQuery,
} from '../../query-tools/index.ts';
import { ToolRefusal } from '../calls/refusal.ts';
import type { UsableProject } from '../tools/tool.ts';

/** A source with its schema, or with the reason why its schema is missing. */
export type SourceSchema = { readonly source: LinkedSource } & (
  | { readonly metadata: DataSourceMetadata }
  | { readonly missing: string }
);

/** A saved query in its current or in its published version. */
export type FoundQuery = SavedQuery | PublishedQuery;
/** A project with the settings that decide which queries clients can find. */
type QueriesOf = Pick<UsableProject, 'id' | 'settings'>;

export type Catalogue = ReturnType<typeof createCatalogue>;

export type CatalogueDeps = {
  readonly database: Database;
  readonly linkedSources: LinkedSources;
  readonly openDataSources: OpenDataSources;
  /** Returns the stored schema of a source that the caller can read; reads the source without a snapshot. */
  readonly readMetadata: (caller: Caller, id: number) => Promise<DataSourceMetadata>;
};

const namedMax = 30;
/** Upper bound for schemas in one answer. */
const schemasMax = 50;
/** Schemas read concurrently, and saved queries per statement, for complete lists. */
const schemasAtOnce = 10;
const queriesAtOnce = 1_000;

/**
 * Creates the catalogue of a project's sources and queries for the tools. The caller must have permission to use the
 * project.
 */
export function createCatalogue({ database, linkedSources, openDataSources, readMetadata }: CatalogueDeps) {
  const sources = (projectId: number) => linkedSources.of(database, projectId);

  const pickSource = async (
    project: Pick<UsableProject, 'id' | 'sources'>,
    idOrName: number | string | undefined,
  ): Promise<LinkedSource> => {
    const projectSources = project.sources ?? (await sources(project.id));
    const [only, ...more] = projectSources;
    if (!only) throw new ToolRefusal('no-data-source', 'This project has no data source.');
    const named = projectSources.slice(0, namedMax).map(({ id, name }) => `${id} (${plainText(name)})`);
    if (idOrName === undefined) {
      if (more.length === 0) return only;
      throw new ToolRefusal(
        'data-source-needed',
        `This project has several data sources: ${named.join(', ')}.`,
      );
    }
    const match = projectSources.find((source) =>
      typeof idOrName === 'number'
        ? source.id === idOrName
        : source.name.toLowerCase() === idOrName.trim().toLowerCase() ||
          String(source.id) === idOrName.trim(),
    );
    if (match) return match;
    throw new ToolRefusal(
      'unknown-data-source',
      `This project has no data source ${plainText(String(idOrName))}. It has ${named.join(', ')}.`,
    );
  };

  const schemaOf = async (caller: Caller, source: LinkedSource): Promise<SourceSchema> => {
    try {
      return { source, metadata: await readMetadata(caller, source.id) };
    } catch (error) {
      if (error instanceof HttpProblem) return { source, missing: 'Its schema could not be read.' };
      throw error;
    }
  };

  /** Returns saved queries that clients can find in the project, ordered by name. */
  const listed = (
    { id, settings }: QueriesOf,
    filter: { text?: string | undefined; limit: number; offset: number },
  ): Promise<{ queries: readonly SavedQuery[]; totalCount: number }> =>
    (settings.savedQueries === 'All' ? listSavedQueries : listPublishedQueries)(database, id, filter);

  return {
    sources,
    pickSource,
    schemaOf,
    schemas: async (caller: Caller, projectId: number): Promise<SourceSchema[]> => {
      const projectSources = (await sources(projectId)).slice(0, schemasMax);
      return Promise.all(projectSources.map((source) => schemaOf(caller, source)));
    },
    /** Returns the schemas of all data sources of the project, without an upper bound. */
    everySchema: async (caller: Caller, projectId: number): Promise<SourceSchema[]> => {
      const projectSources = await sources(projectId);
      const schemas: SourceSchema[] = [];
      for (let at = 0; at < projectSources.length; at += schemasAtOnce) {
        const some = projectSources.slice(at, at + schemasAtOnce);
        schemas.push(...(await Promise.all(some.map((source) => schemaOf(caller, source)))));
      }
      return schemas;
    },
    everyQuery: async (project: QueriesOf): Promise<SavedQuery[]> => {
      const all: SavedQuery[] = [];
      for (;;) {
        const { queries } = await listed(project, { limit: queriesAtOnce, offset: all.length });
        all.push(...queries);
        if (queries.length < queriesAtOnce) return all;
      }
    },
    queries: listed,
    pickQuery: async (project: QueriesOf, idOrName: number | string): Promise<FoundQuery> => {
      const find = project.settings.savedQueries === 'All' ? findSavedQuery : findPublishedQuery;
      const query = await find(database, project.id, idOrName);
      if (query) return query;
      throw new ToolRefusal('unknown-query', 'This project has no such saved query.');
    },
    /** Returns the plan of a published query's version, or of the current version of another query. */
    planQuery: async (query: FoundQuery) => {
      const plan =
        'versionId' in query
          ? await planPublishedQuery(database, query, openDataSources)
          : await planSavedQuery(database, query.id, openDataSources);
      if (plan === 'QueryGone' || plan === 'QueryNotApproved')
        throw new ToolRefusal('unknown-query', 'This saved query is no longer there.');
      if (plan === 'SourceNotLinked')
        throw new ToolRefusal(
          'source-not-linked',
          'A data source of this saved query is no longer linked to the project.',
        );
      return plan;
    },
  };
}
