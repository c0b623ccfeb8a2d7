import { type Static, Type } from 'typebox';
import { type RunningDeps, rowsAnswer, runForCall } from '../calls/running.ts';
import type { Catalogue } from '../context/catalogue.ts';
import { dataLine, dataNotice, framed } from '../context/framing.ts';
import { cell, maxRows, output, projectId, resultRows } from './shapes.ts';
import type { Tool } from './tool.ts';

type Deps = RunningDeps & { readonly catalogue: Catalogue };

const limitDefault = 20;
const SearchInput = Type.Object({
  text: Type.Optional(
    Type.String({ maxLength: 200, description: 'Part of the name or the description. Without it: all.' }),
  ),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, description: 'Default 20.' })),
  offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000, description: 'Default 0.' })),
  project_id: projectId,
});

const FoundQuery = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  description: output.nullableText,
  version: Type.Integer(),
  versionNumber: output.nullableInteger,
  dataSources: Type.Array(Type.String()),
  parameters: Type.Array(
    Type.Object({
      name: Type.String(),
      type: Type.String(),
      isRequired: Type.Boolean(),
      description: output.nullableText,
      defaultValue: cell,
    }),
  ),
});

/** Tool that finds saved queries. */
export const searchSavedQueriesTool = ({ catalogue }: Deps): Tool<Static<typeof SearchInput>> => ({
  name: 'search_saved_queries',
  title: 'Find saved queries',
  description:
    'Lists the saved queries of the project, with the parameters that each takes. People wrote and checked them: prefer running one to writing SQL of your own.',
  input: SearchInput,
  output: Type.Object({
    queries: Type.Array(FoundQuery),
    totalCount: Type.Integer(),
    nextOffset: output.nullableInteger,
    notice: output.notice,
  }),
  run: async ({ text, limit = limitDefault, offset = 0 }, call) => {
    const list = await catalogue.queries(call.project, {
      text: text?.trim() || undefined,
      limit,
      offset,
    });
    const queries = list.queries.map((query) => ({
      id: query.id,
      name: query.name,
      description: query.description,
      version: query.version,
      versionNumber: query.versionNumber,
      dataSources: [...query.dataSourceNames],
      parameters: query.parameters.map((parameter) => ({
        name: parameter.name,
        type: parameter.type,
        isRequired: (parameter.isRequired ?? true) && (parameter.defaultValue ?? null) === null,
        description: parameter.description ?? null,
        defaultValue: parameter.defaultValue ?? null,
      })),
    }));
    const end = offset + queries.length;
    const nextOffset = end < list.totalCount ? end : null;
    const more = nextOffset === null ? '' : ` More from offset ${nextOffset}.`;
    return {
      text: framed(`${queries.length} of ${list.totalCount} saved queries.${more}`, queries.map(dataLine)),
      structured: { queries, totalCount: list.totalCount, nextOffset, notice: dataNotice },
      rowCount: null,
      maskedColumns: [],
    };
  },
});

const RunInput = Type.Object({
  query: Type.Union(
    [Type.Integer({ minimum: 1, maximum: 2_147_483_647 }), Type.String({ minLength: 1, maxLength: 200 })],
    {
      description: 'Id or whole name of the saved query.',
    },
  ),
  parameters: Type.Optional(
    Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: cell,
      maxProperties: 50,
      description: 'Values by parameter name; those left out take their defaults.',
    }),
  ),
  max_rows: maxRows,
  project_id: projectId,
});

/**
 * Tool that runs the published version of a saved query. When a project offers all saved queries, it runs the current
 * version.
 */
export const runSavedQueryTool = (deps: Deps): Tool<Static<typeof RunInput>> => ({
  name: 'run_saved_query',
  title: 'Run a saved query',
  description:
    'Runs a saved query of the project with the given parameters and returns its rows. Rows, bytes and time are capped, and personal data is masked.',
  input: RunInput,
  output: Type.Object({
    queryId: Type.Integer(),
    version: Type.Integer(),
    versionNumber: output.nullableInteger,
    ...resultRows,
    notice: output.notice,
  }),
  run: async ({ query: idOrName, parameters = {}, max_rows }, call) => {
    const query = await deps.catalogue.pickQuery(call.project, idOrName);
    call.touch({ queryId: query.id, version: query.version, statement: query.statements.join('\n') });
    const plan = await deps.catalogue.planQuery(query);
    call.touch({ versionNumber: plan.versionNumber });
    const request = { ...plan.request, parameters: { declared: plan.parameters, values: parameters } };
    const read = await runForCall(deps, request, call, max_rows);
    return rowsAnswer(read, {
      sentence: `Result of saved query ${query.id}, version ${query.version}.`,
      structured: { queryId: query.id, version: query.version, versionNumber: plan.versionNumber },
    });
  },
});
