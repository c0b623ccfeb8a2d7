import { type Static, Type } from 'typebox';
import { personalNames } from '../../../gateways/run-sql/index.ts';
import { firstTerms, type KnownTerm } from '../../grounding/index.ts';
import { ToolRefusal } from '../calls/refusal.ts';
import { maskingOf, type RunningDeps } from '../calls/running.ts';
import type { Catalogue } from '../context/catalogue.ts';
import { describeSource, describeTable, findTable } from '../context/describe.ts';
import { dataLine, dataNotice, framed } from '../context/framing.ts';
import { dataSource, describedTable, output, projectId } from './shapes.ts';
import type { Tool, ToolAnswer, ToolCall } from './tool.ts';

const Input = Type.Object({
  data_source: dataSource,
  table: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 300,
      description: 'A table, with its schema where there are several: then its columns and keys are told.',
    }),
  ),
  project_id: projectId,
});

const Output = Type.Object({
  project: Type.Object({ id: Type.Integer(), name: Type.String(), description: output.nullableText }),
  dataSources: Type.Array(
    Type.Object({
      id: Type.Integer(),
      name: Type.String(),
      description: output.nullableText,
      engine: Type.String(),
      schemas: Type.Array(Type.Object({ name: Type.String(), tableCount: Type.Integer() })),
      tableCount: Type.Integer(),
      tables: Type.Array(Type.String()),
      schemaReadAt: output.nullableText,
      problem: output.nullableText,
    }),
  ),
  isCut: Type.Boolean({ description: 'It names less than there is: search finds the rest.' }),
  savedQueryCount: Type.Integer(),
  savedQueries: Type.Array(Type.Object({ id: Type.Integer(), name: Type.String() })),
  table: Type.Optional(Type.Object(describedTable)),
  learned: Type.Array(Type.String(), {
    description: 'How this data is used, in sentences that people have approved.',
  }),
  glossary: Type.Array(
    Type.Object({
      term: Type.String(),
      synonyms: Type.Optional(Type.Array(Type.String())),
      definition: Type.String(),
      standsFor: Type.Optional(Type.String({ description: 'schema.table or schema.table.column.' })),
      metric: Type.Optional(
        Type.String({ description: 'SQL of one value over the rows of the table that the term stands for.' }),
      ),
    }),
    { description: 'What words of the business mean here.' },
  ),
  glossaryTermCount: Type.Integer({ description: 'Of all terms: more than are told where there are many.' }),
  limits: Type.Object({
    maxRows: Type.Integer(),
    statementTimeoutSeconds: Type.Integer(),
    maxResultBytes: Type.Integer(),
  }),
  notice: output.notice,
});
type Context = Static<typeof Output>;

export type ContextDeps = Pick<RunningDeps, 'piiPatterns'> & {
  readonly catalogue: Catalogue;
  /** Returns approved sentences about the use of a project's data. */
  readonly learnedOf: (projectId: number) => Promise<string[]>;
  /** Returns glossary terms of a project, for one data source or for all. */
  readonly termsOf: (projectId: number, dataSourceId: number | null) => Promise<readonly KnownTerm[]>;
};

const savedQueriesShown = 50;
const termsShown = 30;

/** Tool that a client calls first: an overview of the project or, on request, one complete table. */
export const getContextTool = (deps: ContextDeps): Tool<Static<typeof Input>> => ({
  name: 'get_context',
  title: 'What the project holds',
  description:
    'Start here. Tells the data sources of the project with their engines and tables, its saved queries and its limits. With table it tells the columns, types, keys and comments of one table, and which columns come back masked.',
  input: Input,
  output: Output,
  run: async (args, call) => {
    const context = await contextOf(deps, call);
    if (args.table === undefined && args.data_source === undefined)
      return answer({ ...context, ...(await glossaryOf(deps, call, null)) });
    const source = await deps.catalogue.pickSource(call.project, args.data_source);
    call.touch({ dataSourceId: source.id });
    const dataSources = context.dataSources.filter(({ id }) => id === source.id);
    const terms = await glossaryOf(deps, call, source.id);
    if (args.table === undefined) return answer({ ...context, ...terms, dataSources });
    const schema = await deps.catalogue.schemaOf(call.caller, source);
    if ('missing' in schema) throw new ToolRefusal('schema-unknown', schema.missing);
    const table = findTable(schema.metadata, args.table);
    if (!table) throw new ToolRefusal('unknown-table', 'That data source has no such table.');
    const isPersonal = personalNames(maskingOf(deps, call.project));
    return answer({
      ...context,
      ...terms,
      dataSources,
      table: { dataSourceId: source.id, ...describeTable(table, isPersonal) },
    });
  },
});

async function glossaryOf(
  { termsOf }: ContextDeps,
  { project }: ToolCall,
  dataSourceId: number | null,
): Promise<Pick<Context, 'glossary' | 'glossaryTermCount'>> {
  const terms = await termsOf(project.id, dataSourceId);
  return { glossary: firstTerms(terms, termsShown), glossaryTermCount: terms.length };
}

async function contextOf(
  { catalogue, learnedOf }: ContextDeps,
  { caller, project }: ToolCall,
): Promise<Omit<Context, 'glossary' | 'glossaryTermCount'>> {
  const saved = await catalogue.queries(project, { limit: savedQueriesShown, offset: 0 });
  const { maxRows, statementTimeoutSeconds, maxResultBytes } = project.settings;
  const dataSources = (await catalogue.schemas(caller, project.id)).map(describeSource);
  const linked = await catalogue.sources(project.id);
  return {
    project: { id: project.id, name: project.name, description: project.description },
    dataSources,
    isCut:
      linked.length > dataSources.length ||
      saved.totalCount > saved.queries.length ||
      dataSources.some(({ tableCount, tables }) => tableCount > tables.length),
    savedQueryCount: saved.totalCount,
    savedQueries: saved.queries.map(({ id, name }) => ({ id, name })),
    learned: await learnedOf(project.id),
    limits: { maxRows, statementTimeoutSeconds, maxResultBytes },
    notice: dataNotice,
  };
}

function answer(context: Context): ToolAnswer {
  const { project, dataSources, isCut, savedQueryCount, savedQueries, table, learned, limits } = context;
  const { glossary, glossaryTermCount } = context;
  const more = isCut ? ' It names less than there is: search finds the rest.' : '';
  const parts = [
    { project },
    ...dataSources.map((source) => ({ dataSource: source })),
    ...(table ? [{ table }] : []),
    { savedQueryCount, savedQueries },
    ...(learned.length > 0 ? [{ learned }] : []),
    ...(glossary.length > 0 ? [{ glossary, glossaryTermCount }] : []),
    { limits },
  ];
  return {
    text: framed(
      `Project ${project.id}, with ${dataSources.length} data sources.${more}`,
      parts.map(dataLine),
    ),
    structured: context,
    rowCount: null,
    maskedColumns: [],
  };
}
