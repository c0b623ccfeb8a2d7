import { type Static, Type } from 'typebox';
import { personalNames } from '../../../gateways/run-sql/index.ts';
import { plainText } from '../../../platform/text/index.ts';
import type { FoundDocument } from '../../imported-documents/index.ts';
import { maskingOf, type RunningDeps } from '../calls/running.ts';
import type { Catalogue, SourceSchema } from '../context/catalogue.ts';
import { dataLine, dataNotice, framed } from '../context/framing.ts';
import { findByWords, type Hit, kinds } from '../context/search-index.ts';
import { output, projectId } from './shapes.ts';
import type { Tool } from './tool.ts';

const limitDefault = 20;
const descriptionShown = 300;
/** Length limit of a search text. It may be a complete question. */
const wordsLengthMax = 4_000;

const Input = Type.Object({
  query: Type.String({
    minLength: 1,
    maxLength: wordsLengthMax,
    pattern: '\\S',
    description: 'Words to look for in names and comments, in any order, or a whole question.',
  }),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, description: 'Default 20.' })),
  offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000, description: 'Default 0.' })),
  project_id: projectId,
});

const Output = Type.Object({
  hits: Type.Array(
    Type.Object({
      kind: Type.Unsafe<Hit['kind']>({ type: 'string', enum: [...kinds] }),
      name: Type.String({
        description:
          'schema.table, schema.table.column, the name of a saved query, or the title of a document.',
      }),
      dataSourceId: output.nullableInteger,
      queryId: output.nullableInteger,
      documentId: output.nullableInteger,
      databaseType: output.nullableText,
      isMasked: Type.Boolean(),
      description: output.nullableText,
    }),
  ),
  totalCount: Type.Integer(),
  nextOffset: output.nullableInteger,
  notSearched: Type.Array(Type.String(), {
    description: 'What could not be searched. Empty: everything was.',
  }),
  notice: output.notice,
});

export type SearchDeps = Pick<RunningDeps, 'piiPatterns'> & {
  readonly catalogue: Catalogue;
  readonly documentsWith: (projectId: number, words: readonly string[]) => Promise<readonly FoundDocument[]>;
};

const searchedWordsMax = 10;
/** Returns the words of a search, limited to the number that the database can search. */
const wordsOf = (query: string): string[] => query.trim().split(/\s+/).slice(0, searchedWordsMax);

/** Tool that finds tables, columns, saved queries and documents by words. Reads no row of a data source. */
export const searchTool = (deps: SearchDeps): Tool<Static<typeof Input>> => ({
  name: 'search',
  title: 'Search schemas, queries and documents',
  description:
    'Finds tables, columns, saved queries and documents of the project by words in their names, comments and texts, best match first. It reads no rows.',
  input: Input,
  output: Output,
  run: async ({ query, limit = limitDefault, offset = 0 }, call) => {
    const schemas = await deps.catalogue.everySchema(call.caller, call.project.id);
    const matches = findByWords(
      {
        schemas: schemas.flatMap((schema) =>
          'missing' in schema ? [] : [{ dataSourceId: schema.source.id, tables: schema.metadata.tables }],
        ),
        queries: await deps.catalogue.everyQuery(call.project),
        documents: await deps.documentsWith(call.project.id, wordsOf(query)),
        isPersonal: personalNames(maskingOf(deps, call.project)),
      },
      query,
    ).map((hit) => ({ ...hit, description: hit.description?.slice(0, descriptionShown) ?? null }));
    const notSearched = schemas.flatMap(leftOut);
    const hits = matches.slice(offset, offset + limit);
    const nextOffset = offset + hits.length < matches.length ? offset + hits.length : null;
    const more = nextOffset === null ? '' : ` More from offset ${nextOffset}.`;
    return {
      text: framed(
        [`${hits.length} of ${matches.length} matches.${more}`, ...notSearched].join(' '),
        hits.map(dataLine),
      ),
      structured: { hits, totalCount: matches.length, nextOffset, notSearched, notice: dataNotice },
      rowCount: null,
      maskedColumns: [],
    };
  },
});

/**
 * Returns notes about missing parts of a source's schema. Without them, a client could read a missing match as a
 * missing table.
 */
function leftOut(schema: SourceSchema): string[] {
  const source = `Data source ${schema.source.id} (${plainText(schema.source.name)})`;
  if ('missing' in schema) return [`${source} was not searched: ${schema.missing}`];
  const { areTablesCut, areColumnsCut } = schema.metadata;
  return [
    ...(areTablesCut ? [`${source} has more tables than were read of its schema.`] : []),
    ...(areColumnsCut ? [`${source} has tables with more columns than were read.`] : []),
  ];
}
