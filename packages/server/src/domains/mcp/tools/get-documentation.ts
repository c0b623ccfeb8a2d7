import { type DocumentationKind, documentationKinds, type ImportedDocument, idMax } from '@svc/contract';
import { type Static, Type } from 'typebox';
import { personalNames } from '../../../gateways/run-sql/index.ts';
import type { ReadSection, TableFacts } from '../../documentation/index.ts';
import { ToolRefusal } from '../calls/refusal.ts';
import { maskingOf, type RunningDeps } from '../calls/running.ts';
import type { Catalogue } from '../context/catalogue.ts';
import { describeTable, findTable } from '../context/describe.ts';
import { dataLine, dataNotice, framed } from '../context/framing.ts';
import { dataSource, describedTable, output, projectId } from './shapes.ts';
import type { Tool, ToolAnswer, ToolCall } from './tool.ts';

const charsDefault = 8_000;
const charsMax = 30_000;

const Input = Type.Object({
  section: Type.Optional(
    Type.Unsafe<DocumentationKind>({
      type: 'string',
      enum: [...documentationKinds],
      description: 'One section; left out: all of them, one after the other.',
    }),
  ),
  offset: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 10_000_000,
      description: 'Where the text goes on, as nextOffset told it. Default 0.',
    }),
  ),
  max_chars: Type.Optional(
    Type.Integer({
      minimum: 1_000,
      maximum: charsMax,
      description: `Most characters of text; default ${charsDefault}.`,
    }),
  ),
  table: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 300,
      description:
        'A table, with its schema where there are several: then what is known of it is told instead of the text.',
    }),
  ),
  document_id: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: idMax,
      description: 'A document of the project, by the documentId of a search: then its text is returned.',
    }),
  ),
  data_source: dataSource,
  project_id: projectId,
});
type Arguments = Static<typeof Input>;

const Columns = Type.Array(Type.String());
const Output = Type.Object({
  project: Type.Object({ id: Type.Integer(), name: Type.String() }),
  sections: Type.Array(
    Type.Object({
      kind: Type.String(),
      title: Type.String(),
      provenance: Type.String({
        description:
          'Facts: made from records. Model: with words of a language model. Person: somebody wrote it.',
      }),
      length: Type.Integer({ description: 'In characters.' }),
      generatedAt: output.nullableText,
      editedAt: output.nullableText,
    }),
    { description: 'What there is. Empty: nobody has had the documentation made.' },
  ),
  text: output.nullableText,
  nextOffset: output.nullableInteger,
  table: Type.Optional(
    Type.Object({
      ...describedTable,
      relationships: Type.Array(
        Type.Object({
          fromTable: Type.String(),
          fromColumns: Columns,
          toTable: Type.String(),
          toColumns: Columns,
          isVerified: Type.Boolean({ description: 'Declared in the database, or confirmed by people.' }),
        }),
      ),
      contracts: Type.Array(
        Type.Object({
          name: Type.String(),
          lastStatus: output.nullableText,
          lastScore: output.nullableNumber,
          rules: Type.Array(Type.Object({ name: Type.String(), type: Type.String(), columns: Columns })),
        }),
        { description: 'Rules of quality that hold for the table, and how they stood last.' },
      ),
      code: Type.Array(
        Type.Object({
          repository: Type.String(),
          path: Type.String(),
          kind: Type.String(),
          lineCount: Type.Integer(),
        }),
        { description: 'Files of linked repositories that name the table.' },
      ),
    }),
  ),
  document: Type.Optional(
    Type.Object({
      id: Type.Integer(),
      title: Type.String(),
      path: Type.String(),
      length: Type.Integer({ description: 'In characters.' }),
    }),
  ),
  notice: output.notice,
});
type Documentation = Static<typeof Output>;

export type DocumentationDeps = Pick<RunningDeps, 'piiPatterns'> & {
  readonly catalogue: Catalogue;
  readonly documentationOf: (projectId: number) => Promise<readonly ReadSection[]>;
  /** Returns a live document of the project. */
  readonly documentOf: (
    projectId: number,
    id: number,
  ) => Promise<Pick<ImportedDocument, 'id' | 'title' | 'path' | 'content'> | undefined>;
  readonly factsOf: (
    projectId: number,
    about: { readonly dataSourceId: number; readonly schema: string; readonly table: string },
  ) => Promise<TableFacts>;
};

/** Tool that returns a project's documentation, and recorded facts about one table. Reads no row. */
export const getDocumentationTool = (deps: DocumentationDeps): Tool<Arguments> => ({
  name: 'get_documentation',
  title: 'Read the documentation',
  description:
    'Tells the documentation of the project: its data model, data flows, code lineage, data quality and notes, a part at a time. With table it tells the columns, relationships, data contracts and code references of one table. With document_id it returns the text of one document that search found. It reads no rows.',
  input: Input,
  output: Output,
  run: async (args, call) => {
    refuseMixed(args);
    const { id, name } = call.project;
    const sections = await deps.documentationOf(id);
    const overview = {
      project: { id, name },
      sections: sections.map(aboutSection),
      notice: dataNotice,
    };
    if (args.document_id !== undefined) {
      const document = await deps.documentOf(id, args.document_id);
      if (!document) throw new ToolRefusal('unknown-document', 'This project has no such document.');
      const { content, title, path } = document;
      return answerDocument({
        ...overview,
        document: { id: document.id, title, path, length: content.length },
        ...partOf(content, args),
      });
    }
    if (args.table !== undefined) {
      const table = await tableOf(deps, call, args.table, args.data_source);
      return answerTable({ ...overview, text: null, nextOffset: null, table });
    }
    if (args.section !== undefined && !sections.some(({ kind }) => kind === args.section))
      throw new ToolRefusal('unknown-section', 'The documentation has no such section.');
    const requestedSections = sections.filter(
      ({ kind }) => args.section === undefined || kind === args.section,
    );
    return answerText({ ...overview, ...partOf(wholeOf(requestedSections), args) });
  },
});

/** Refuses arguments that the requested kind of documentation would ignore. */
function refuseMixed({ table, section, offset, max_chars: maxChars, ...others }: Arguments): void {
  const { data_source: source, document_id: document } = others;
  if (document !== undefined && (table ?? section ?? source) !== undefined)
    throw new ToolRefusal('invalid-arguments', 'table, section and data_source do not go with document_id.');
  if (table !== undefined && (section ?? offset ?? maxChars) !== undefined)
    throw new ToolRefusal('invalid-arguments', 'section, offset and max_chars do not go with table.');
  if (table === undefined && source !== undefined)
    throw new ToolRefusal('invalid-arguments', 'data_source goes with table only.');
}

const aboutSection = ({ kind, title, provenance, content, generatedAt, editedAt }: ReadSection) => ({
  kind,
  title,
  provenance,
  length: content.length,
  generatedAt: generatedAt?.toISOString() ?? null,
  editedAt: editedAt?.toISOString() ?? null,
});

const wholeOf = (sections: readonly ReadSection[]): string =>
  sections.map(({ title, content }) => `## ${title}\n\n${content}`).join('\n\n');

/** Returns a part of a text that ends at the end of a line, if the part contains one. */
function partOf(
  fullText: string,
  { offset = 0, max_chars: maxChars = charsDefault }: Arguments,
): Pick<Documentation, 'text' | 'nextOffset'> {
  const rest = fullText.slice(offset);
  if (rest.length <= maxChars) return { text: rest.toWellFormed(), nextOffset: null };
  const part = rest.slice(0, maxChars);
  const end = part.lastIndexOf('\n') + 1 || maxChars;
  return { text: part.slice(0, end).toWellFormed(), nextOffset: offset + end };
}

async function tableOf(
  deps: DocumentationDeps,
  call: ToolCall,
  tableName: string,
  source: Arguments['data_source'],
): Promise<NonNullable<Documentation['table']>> {
  const picked = await deps.catalogue.pickSource(call.project, source);
  const dataSourceId = picked.id;
  call.touch({ dataSourceId });
  const schema = await deps.catalogue.schemaOf(call.caller, picked);
  if ('missing' in schema) throw new ToolRefusal('schema-unknown', schema.missing);
  const table = findTable(schema.metadata, tableName);
  if (!table) throw new ToolRefusal('unknown-table', 'That data source has no such table.');
  const about = { dataSourceId, schema: table.schema, table: table.name };
  const { relationships, contracts, code } = await deps.factsOf(call.project.id, about);
  const described = describeTable(table, personalNames(maskingOf(deps, call.project)));
  return {
    dataSourceId,
    ...described,
    relationships: relationships.map(({ fromColumns, toColumns, ...ends }) => ({
      ...ends,
      fromColumns: [...fromColumns],
      toColumns: [...toColumns],
    })),
    contracts: contracts.map(({ rules, ...contract }) => ({
      ...contract,
      rules: rules.map(({ columns, ...rule }) => ({ ...rule, columns: [...columns] })),
    })),
    code: [...code],
  };
}

function answerText(documentation: Documentation): ToolAnswer {
  const { sections, text, nextOffset, project } = documentation;
  const about =
    sections.length === 0
      ? `Project ${project.id} has no documentation yet.`
      : `The documentation of project ${project.id}.`;
  const more = nextOffset === null ? '' : ` There is more from offset ${nextOffset}.`;
  return {
    text: framed(`${about}${more}`, [dataLine({ sections }), dataLine(text)]),
    structured: documentation,
    rowCount: null,
    maskedColumns: [],
  };
}

function answerDocument(
  documentation: Documentation & { readonly document: NonNullable<Documentation['document']> },
): ToolAnswer {
  const { document, text, nextOffset, project } = documentation;
  const more = nextOffset === null ? '' : ` There is more from offset ${nextOffset}.`;
  return {
    text: framed(`Document ${document.id} of project ${project.id}.${more}`, [
      dataLine(document),
      dataLine(text),
    ]),
    structured: documentation,
    rowCount: null,
    maskedColumns: [],
  };
}

const answerTable = (documentation: Documentation): ToolAnswer => ({
  text: framed(`What is known of a table of project ${documentation.project.id}.`, [
    dataLine({ table: documentation.table }),
    dataLine({ sections: documentation.sections }),
  ]),
  structured: documentation,
  rowCount: null,
  maskedColumns: [],
});
