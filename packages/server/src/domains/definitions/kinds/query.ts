import * as contract from '@svc/contract';
import { type Static, Type } from 'typebox';
import type { Caller } from '../../../platform/access/index.ts';
import type { Database } from '../../../platform/db/index.ts';
import type { CallerActor } from '../../audit/index.ts';
import { type FoundQuery, findQuery, findStoredVersion, type QueriesService } from '../../queries/index.ts';
import { everyPage, shortened } from './canonical.ts';
import {
  defineKind,
  type Input,
  type LiveRecord,
  noSecrets,
  type ProjectScope,
  type Reference,
  type SlugOf,
  type Target,
  type Written,
} from './kind.ts';
import { fileSchema, TextOrFile } from './shapes.ts';

const { name, description, parameters } = contract.CreateQueryBody.properties;
const step = contract.QueryStepInput.properties;
const properties = {
  name,
  description,
  parameters,
  steps: Type.Optional(
    Type.Array(
      Type.Object({
        name: step.name,
        description: step.description,
        dataSource: contract.Slug,
        sql: TextOrFile(step.sql),
      }),
      { maxItems: 20, description: 'In the order in which they run.' },
    ),
  ),
  finalQuery: Type.Optional(TextOrFile(Type.String({ maxLength: 200_000 }))),
};
const Shape = Type.Object(properties);
type QueryDefinition = Static<typeof Shape>;

const canonical = (query: QueryDefinition): QueryDefinition =>
  shortened<QueryDefinition>(
    {
      name: query.name.trim(),
      description: query.description,
      parameters: query.parameters?.map(({ name, type, description, defaultValue, isRequired }) =>
        shortened({ name, type, description, defaultValue, isRequired } as contract.QueryParameter, {
          isRequired: true,
        }),
      ),
      steps: query.steps?.map(({ name, description, dataSource, sql }) =>
        shortened(
          { name, description, dataSource, sql } as NonNullable<QueryDefinition['steps']>[number],
          {},
        ),
      ),
      finalQuery: query.finalQuery?.trim() ? query.finalQuery : undefined,
    } as QueryDefinition,
    { parameters: [], steps: [] },
  );

/** Returns the definition of a query or of a version of it. */
const definitionOf = (
  query: Pick<FoundQuery, 'name' | 'description' | 'finalQuery'> & {
    readonly parameters: readonly contract.QueryParameter[];
    readonly steps: readonly {
      readonly name: string | null;
      readonly description: string | null;
      readonly dataSourceId: number;
      readonly sql: string;
    }[];
  },
  slugOf: SlugOf,
): QueryDefinition =>
  canonical({
    name: query.name,
    description: query.description,
    parameters: [...query.parameters],
    steps: query.steps.map(({ name, description, dataSourceId, sql }) => ({
      name,
      description,
      dataSource: slugOf('DataSource', dataSourceId),
      sql,
    })),
    ...(query.finalQuery !== null && { finalQuery: query.finalQuery }),
  });

type QueryKindDeps = {
  readonly database: Database;
  readonly queries: QueriesService;
  /** Returns true when saves of the caller wait for approval. */
  readonly needsApproval: (caller: Caller) => boolean;
};

const references = ({ steps = [] }: QueryDefinition): Reference[] =>
  steps.map(({ dataSource }, at) => ({
    kind: 'DataSource',
    slug: dataSource,
    pointer: `/steps/${at}/dataSource`,
  }));

const list = async (
  { database, queries }: QueryKindDeps,
  caller: Caller,
  projects: readonly ProjectScope[],
  slugOf: SlugOf,
): Promise<LiveRecord<QueryDefinition>[]> => {
  const ids: number[] = [];
  for (const { id: projectId } of projects)
    ids.push(
      ...(await everyPage((page) => queries.list(caller, { ...page, projectId }))).map(({ id }) => id),
    );
  const storedQueries = await Promise.all(ids.map((id) => findQuery(database, id)));
  return Promise.all(
    storedQueries
      .flatMap((query) => (query ? [query] : []))
      .map(async (query) => {
        const pending = query.pendingVersion && (await findStoredVersion(database, query.pendingVersion.id));
        return {
          id: query.id,
          projectId: query.projectId,
          version: query.version,
          definition: definitionOf(query, slugOf),
          ...(pending && { waiting: definitionOf(pending, slugOf) }),
          isWaiting: query.activeVersionId === null,
        };
      }),
  );
};

const inputOf = ({ definition, idOf }: Input<QueryDefinition>) => ({
  ...definition,
  steps: (definition.steps ?? []).map(({ dataSource, ...rest }) => ({
    ...rest,
    dataSourceId: idOf('DataSource', dataSource),
  })),
});

const create = (
  { database, queries }: QueryKindDeps,
  by: CallerActor,
  input: Input<QueryDefinition>,
): Promise<Written> =>
  database.transaction(async (tx) => {
    const { projectId } = input;
    if (projectId === null) throw new Error('A query belongs to a project.');
    const { query, isWaiting } = await queries.createIn(tx, by, { ...inputOf(input), projectId });
    await input.within(tx, query.id);
    return { isWaiting };
  });

const update = (
  { database, queries }: QueryKindDeps,
  by: CallerActor,
  { id, version }: Target,
  input: Input<QueryDefinition>,
): Promise<Written> =>
  database.transaction(async (tx) => {
    const { isWaiting } = await queries.updateIn(tx, by, id, inputOf(input), {
      source: 'User',
      expectedVersion: version,
    });
    await input.within(tx, id);
    return { isWaiting };
  });

/** Creates the kind of saved queries, without folders, locks and tools of AI clients. */
export function queryKind(deps: QueryKindDeps) {
  return defineKind<QueryDefinition>({
    name: 'Query',
    schema: fileSchema('Query', properties),
    isForKeys: true,
    ...noSecrets,
    canonical,
    references,
    list: (caller, projects, slugOf) => list(deps, caller, projects, slugOf),
    endpoints: ({ before, after }) =>
      after === null ? null : [before === null ? contract.createQuery : contract.updateQuery],
    needsApproval: deps.needsApproval,
    create: (by, input) => create(deps, by, input),
    update: (by, target, input) => update(deps, by, target, input),
    remove: () => Promise.reject(new Error('Queries are not deleted.')),
  });
}
