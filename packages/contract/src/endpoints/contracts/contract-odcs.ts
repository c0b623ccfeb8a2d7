import { type Static, Type } from 'typebox';
import { access } from '../../access.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { Id, IdParams, NonBlank, nullable } from '../../shapes.ts';
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
        id: nullable(Id, {
          description: 'Null: the contract was not created, because the request was a `dryRun`.',
        }),
        name: Type.String(),
        schemaName: Type.String(),
        tableName: Type.String(),
        ruleCount: Type.Integer({ minimum: 1 }),
        tableExists: Type.Boolean({
          description: 'False: evaluations end as `Error` until the data source has the table.',
        }),
      }),
      { description: 'One contract for each table of the document.' },
    ),
    read: Type.Array(Note, { description: 'Parts of the document that became rules.' }),
    kept: Type.Array(Note, {
      description: 'Parts that are not evaluated. They are stored, and an export contains them again.',
    }),
    refused: Type.Array(Note, { description: 'Parts that were not imported, with the reason.' }),
  },
  { $id: 'OdcsImport' },
);
export type OdcsImport = Static<typeof OdcsImport>;

export const ImportDataContractsBody = Type.Object({
  document: Type.String({
    ...NonBlank(1_048_576),
    description: 'YAML 1.2 or JSON, at most 1 MB, without anchors, aliases and tags.',
  }),
  projectId: Id,
  dataSourceId: Id,
  dryRun: Type.Optional(
    Type.Boolean({
      description: 'Reports the contracts that the import would create, without creating them.',
    }),
  ),
});

export const importDataContracts = defineEndpoint({
  operationId: 'importDataContracts',
  tag,
  summary: 'Creates data contracts from a document of the Open Data Contract Standard 3.0.x or 3.1.x',
  method: 'POST',
  path: `${contractsPath}/import`,
  body: ImportDataContractsBody,
  responses: { 200: OdcsImport },
  access: access.write({ project: 'writable' }),
  refusals: {
    400: 'The document does not follow the standard, or none of its parts can become a rule.',
    403: 'The document contains SQL, and the caller is not an Admin.',
    404: 'The project or the data source does not exist.',
  },
});
