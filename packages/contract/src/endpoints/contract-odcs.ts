import { type Static, Type } from 'typebox';
import { access } from '../access.ts';
import { defineEndpoint } from '../endpoint.ts';
import { Id, IdParams, NonBlank, nullable } from '../shapes.ts';
import { contractsPath } from './data-contracts.ts';

const tag = 'data quality';

export const exportDataContract = defineEndpoint({
  operationId: 'exportDataContract',
  tag,
  summary: 'A data contract as a document of the Open Data Contract Standard 3.1.0',
  method: 'GET',
  path: `${contractsPath}/{id}/odcs`,
  params: IdParams,
  responses: { 200: { contentType: 'application/yaml', description: 'YAML 1.2.' } },
  sends: ['Content-Disposition'],
  access: access.read({ project: 'readable' }),
});

const Note = Type.Object({
  path: Type.String({ description: 'JSON pointer into the document.' }),
  note: Type.String(),
});

export const OdcsImport = Type.Object(
  {
    contracts: Type.Array(
      Type.Object({
        id: nullable(Id, { description: 'Null: it was not made, `dryRun` asked only.' }),
        name: Type.String(),
        schemaName: Type.String(),
        tableName: Type.String(),
        ruleCount: Type.Integer({ minimum: 1 }),
        tableExists: Type.Boolean({
          description: 'False: evaluations end as `Error` until the data source has the table.',
        }),
      }),
      { description: 'One for each table of the document.' },
    ),
    read: Type.Array(Note, { description: 'Parts that became rules.' }),
    kept: Type.Array(Note, {
      description: 'Parts that are not judged, and stand in the document again on export.',
    }),
    refused: Type.Array(Note, { description: 'Parts that were left out, and why.' }),
  },
  { $id: 'OdcsImport' },
);
export type OdcsImport = Static<typeof OdcsImport>;

export const ImportDataContractsBody = Type.Object({
  document: Type.String({
    ...NonBlank(1_048_576),
    description: 'YAML 1.2 or JSON, at most 1 MB; without anchors, aliases and tags.',
  }),
  projectId: Id,
  dataSourceId: Id,
  dryRun: Type.Optional(Type.Boolean({ description: 'Says what would be made, and makes nothing.' })),
});

export const importDataContracts = defineEndpoint({
  operationId: 'importDataContracts',
  tag,
  summary: 'Makes data contracts of a document of the Open Data Contract Standard 3.0.x or 3.1.x',
  method: 'POST',
  path: `${contractsPath}/import`,
  body: ImportDataContractsBody,
  responses: { 200: OdcsImport },
  access: access.write({ project: 'writable' }),
  refusals: {
    400: 'It is no such document, or nothing of it can be judged.',
    403: 'It holds SQL and the caller is no Admin.',
    404: 'The project or the data source does not exist.',
  },
});
