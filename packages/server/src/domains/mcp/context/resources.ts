import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError } from '@modelcontextprotocol/server';
import { type DataSourceMetadata, idMax } from '@svc/contract';
import { personalNames } from '../../../gateways/run-sql/index.ts';
import type { Database } from '../../../platform/db/index.ts';
import type { Audit } from '../../audit/index.ts';
import type { CallFacts } from '../calls/calls.ts';
import { ToolRefusal } from '../calls/refusal.ts';
import { maskingOf } from '../calls/running.ts';
import type { UsableProjects } from '../projects/usable-projects.ts';
import type { UsableProject } from '../tools/index.ts';
import type { Catalogue } from './catalogue.ts';
import { describeTable } from './describe.ts';
import { dataLine, framed } from './framing.ts';

export type Resources = ReturnType<typeof createResources>;

const pageSize = 100;
const queriesMax = 10_000;
const mimeType = 'text/plain';
const shape = /^svc:\/\/projects\/(\d{1,10})\/(data-sources|queries)\/(\d{1,10})(\/schema)?$/;

const schemaUri = (projectId: number, id: number) => `svc://projects/${projectId}/data-sources/${id}/schema`;
const queryUri = (projectId: number, id: number) => `svc://projects/${projectId}/queries/${id}`;

/** Creates the resources: schemas of data sources and saved queries in the caller's projects. */
export function createResources(deps: {
  readonly database: Database;
  readonly audit: Audit;
  readonly catalogue: Catalogue;
  readonly projects: UsableProjects;
  readonly piiPatterns: readonly string[];
}) {
  const { catalogue, projects } = deps;

  const ofProject = async (project: UsableProject) => {
    const sources = await catalogue.sources(project.id);
    const { queries } = await catalogue.queries(project, { limit: queriesMax, offset: 0 });
    return [
      ...sources.map(({ id, name, engine }) => ({
        uri: schemaUri(project.id, id),
        name: `Schema of ${name}`,
        description: `Tables and columns of the data source ${name} (${engine}).`,
        mimeType,
      })),
      ...queries.map(({ id, name, description }) => ({
        uri: queryUri(project.id, id),
        name,
        ...(description !== null && { description }),
        mimeType,
      })),
    ];
  };

  const textOf = async (facts: CallFacts, uri: string): Promise<{ text: string; project: UsableProject }> => {
    const [, projectText, kind, idText, schemaPart] = shape.exec(uri) ?? [];
    const canBeIds = Number(projectText) <= idMax && Number(idText) <= idMax;
    if (!canBeIds || (kind === 'data-sources') !== (schemaPart !== undefined))
      throw new ResourceNotFoundError(uri);
    try {
      const project = await projects.pick(facts.caller, Number(projectText), kind === 'data-sources');
      if (kind === 'queries') {
        const { id, name, description, version, parameters, statements, dataSourceNames } =
          await catalogue.pickQuery(project, Number(idText));
        const about = { id, name, description, version, dataSourceNames, parameters };
        return {
          project,
          text: framed(`Saved query ${id}.`, [dataLine(about), ...statements.map(dataLine)]),
        };
      }
      const source = await catalogue.pickSource(project, Number(idText));
      const schema = await catalogue.schemaOf(facts.caller, source);
      if ('missing' in schema) throw new ToolRefusal('schema-unknown', schema.missing);
      const isPersonal = personalNames(maskingOf(deps, project));
      return {
        project,
        text: schemaText(source.id, schema.metadata, isPersonal, project.settings.maxResultBytes),
      };
    } catch (error) {
      // A resource that the caller may not see is reported as missing.
      if (error instanceof ToolRefusal) throw new ResourceNotFoundError(uri);
      throw error;
    }
  };

  return {
    list: async (facts: CallFacts, cursor: string | undefined) => {
      const offset = cursor === undefined ? 0 : Number(/^\d{1,7}$/.exec(cursor)?.[0] ?? Number.NaN);
      if (Number.isNaN(offset))
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The cursor is not one of ours.');
      const all: Awaited<ReturnType<typeof ofProject>> = [];
      for (const project of await projects.list(facts.caller)) {
        all.push(...(await ofProject(project)));
        if (all.length > offset + pageSize) break;
      }
      const resources = all.slice(offset, offset + pageSize);
      const end = offset + resources.length;
      return { resources, ...(end < all.length && { nextCursor: String(end) }) };
    },

    templates: () => ({
      resourceTemplates: [
        {
          uriTemplate: 'svc://projects/{project_id}/data-sources/{data_source_id}/schema',
          name: 'Schema of a data source',
          description: 'Tables, columns, keys and comments; which columns come back masked.',
          mimeType,
        },
        {
          uriTemplate: 'svc://projects/{project_id}/queries/{query_id}',
          name: 'Saved query',
          description: 'Description, parameters and SQL.',
          mimeType,
        },
      ],
    }),

    read: async (facts: CallFacts, uri: string) => {
      const { text, project } = await textOf(facts, uri);
      await deps.audit.record(deps.database, {
        event: 'mcp.resource_read',
        by: facts,
        projectId: project.id,
        detail: { uri, resultBytes: Buffer.byteLength(text) },
      });
      return { contents: [{ uri, mimeType, text }] };
    },
  };
}

/** Returns the descriptions of as many tables as fit. */
function schemaText(
  dataSourceId: number,
  metadata: DataSourceMetadata,
  isPersonal: (name: string) => boolean,
  maxBytes: number,
): string {
  const lines: string[] = [];
  let bytes = 0;
  for (const table of metadata.tables) {
    const line = dataLine(describeTable(table, isPersonal));
    bytes += Buffer.byteLength(line) + 1;
    if (bytes > maxBytes) break;
    lines.push(line);
  }
  const omittedCount = metadata.tables.length - lines.length;
  const more = omittedCount > 0 ? ` ${omittedCount} more tables did not fit; search finds them.` : '';
  return framed(`Schema of data source ${dataSourceId}, a line a table.${more}`, lines);
}
