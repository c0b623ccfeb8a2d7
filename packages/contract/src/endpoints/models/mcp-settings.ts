import { type Static, Type } from 'typebox';
import { access } from '../../access.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { Id, listQuery, mapOf, nullable, pageOf, partly, Time, wordOf } from '../../shapes.ts';

const tag = 'mcp';

/** Bounds of the settings. Configuration may lower the upper bounds. */
export const mcpLimits = {
  maxRows: { min: 1, max: 10_000 },
  statementTimeoutSeconds: { min: 1, max: 600 },
  maxResultBytes: { min: 1_024, max: 4_194_304 },
  maxConcurrentCalls: { min: 1, max: 100 },
  maxCallsPerMinute: { min: 1, max: 100_000 },
  candidates: { min: 1, max: 5 },
} as const;

const limit = ({ min, max }: { min: number; max: number }, description: string) =>
  Type.Integer({ minimum: min, maximum: max, description });
const Pattern = Type.String({ minLength: 1, maxLength: 500 });

const isEnabled = Type.Boolean({ description: 'Whether AI clients may call tools.' });
const disabledTools = Type.Array(Type.String({ minLength: 1, maxLength: 128 }), {
  maxItems: 200,
  description: 'Names of disabled tools.',
});
const maxRows = limit(mcpLimits.maxRows, 'Largest number of rows of one result.');
const statementTimeoutSeconds = limit(
  mcpLimits.statementTimeoutSeconds,
  'Time limit of one statement, in seconds.',
);
const maxResultBytes = limit(
  mcpLimits.maxResultBytes,
  'Largest size of the rows of one result, in bytes. Applies to the text and to the structured content separately.',
);
const maxConcurrentCalls = limit(
  mcpLimits.maxConcurrentCalls,
  'Concurrent calls of one caller, per process.',
);
const maxCallsPerMinute = limit(mcpLimits.maxCallsPerMinute, 'Calls of one caller per minute, per process.');
const piiPatterns = Type.Array(Pattern, {
  maxItems: 100,
  description:
    'Additional patterns for column names and values to mask. The patterns of the configuration also apply.',
});
const keepsStatements = Type.Boolean({ description: 'Whether the audit log stores the arguments of calls.' });
const learns = Type.Boolean({
  description:
    'Whether the service learns from the use of data. Learned patterns take effect only after a user approves them.',
});
/** Saved queries that AI clients can search and run: published queries, or all. */
export const savedQueriesChoices = ['Published', 'All'] as const;
export type SavedQueriesChoice = (typeof savedQueriesChoices)[number];
const savedQueries = Type.Unsafe<SavedQueriesChoice>({
  ...wordOf(savedQueriesChoices),
  description:
    '`Published`: clients can use only queries that a SecurityAdmin published, in the published version. `All`: clients can use every saved query, in its current version.',
});
const isAskEnabled = Type.Boolean({
  description: 'Whether users and AI clients may ask questions in everyday language.',
});
const answersOnlyChecked = Type.Boolean({
  description:
    'Whether only statements that users have checked answer questions. Then no language model writes statements.',
});
/** Rows that a language model may see: none, or masked rows of an answer that a user wants explained. */
export const rowsToModelChoices = ['Never', 'Masked'] as const;
export type RowsToModelChoice = (typeof rowsToModelChoices)[number];
const rowsToModel = Type.Unsafe<RowsToModelChoice>({
  ...wordOf(rowsToModelChoices),
  description:
    '`Never`: a language model receives no rows. `Masked`: it receives the masked rows of an answer if the user requests an explanation.',
});
const candidates = limit(
  mcpLimits.candidates,
  'Statements that a language model writes for one question. The answer is the result that most of them return.',
);
const instruction = nullable(
  Type.String({
    maxLength: 4_000,
    description: 'Text for every client, in addition to the built-in instructions.',
  }),
);
const toolDescriptions = mapOf(Type.String({ minLength: 1, maxLength: 2_000 }), {
  nameLengthMax: 128,
  sizeMax: 200,
  description: 'Descriptions that replace the built-in ones, by tool name.',
});

/** Fields that a project may override. */
const projectFields = {
  isEnabled,
  disabledTools,
  maxRows,
  statementTimeoutSeconds,
  maxResultBytes,
  maxConcurrentCalls,
  maxCallsPerMinute,
  piiPatterns,
  keepsStatements,
  learns,
  savedQueries,
  isAskEnabled,
  answersOnlyChecked,
  rowsToModel,
  candidates,
};
export const McpProjectValues = Type.Object(projectFields);
export type McpProjectValues = Static<typeof McpProjectValues>;

export const McpValues = Type.Object({ ...projectFields, instruction, toolDescriptions });
export type McpValues = Static<typeof McpValues>;

export const mcpFields = [
  'isEnabled',
  'disabledTools',
  'maxRows',
  'statementTimeoutSeconds',
  'maxResultBytes',
  'maxConcurrentCalls',
  'maxCallsPerMinute',
  'piiPatterns',
  'keepsStatements',
  'learns',
  'savedQueries',
  'isAskEnabled',
  'answersOnlyChecked',
  'rowsToModel',
  'candidates',
  'instruction',
  'toolDescriptions',
] as const satisfies readonly (keyof McpValues)[];
export type McpField = (typeof mcpFields)[number];

const Field = wordOf(mcpFields);

const governed = {
  lockedFields: Type.Array(Field, {
    description: 'Fields that the configuration locks. Changing one returns 409.',
  }),
  clampedFields: Type.Array(Field, {
    description: 'Fields whose saved value exceeds the current limit of the configuration.',
  }),
  ceilings: mapOf(Type.Integer(), { description: 'Largest allowed value of each numeric field.' }),
  version: Type.Integer({ minimum: 0, description: '0: the settings were never saved.' }),
  updatedAt: nullable(Time),
  updatedByUserName: nullable(Type.String()),
};

export const McpSettings = Type.Object(
  {
    values: McpValues,
    effective: McpValues,
    defaults: McpValues,
    tools: Type.Array(Type.Object({ name: Type.String(), title: Type.String(), description: Type.String() })),
    ...governed,
  },
  { $id: 'McpSettings' },
);
export type McpSettings = Static<typeof McpSettings>;

const overrides = Type.Object({
  isEnabled: nullable(isEnabled),
  disabledTools: nullable(disabledTools),
  maxRows: nullable(maxRows),
  statementTimeoutSeconds: nullable(statementTimeoutSeconds),
  maxResultBytes: nullable(maxResultBytes),
  maxConcurrentCalls: nullable(maxConcurrentCalls),
  maxCallsPerMinute: nullable(maxCallsPerMinute),
  piiPatterns: nullable(piiPatterns),
  keepsStatements: nullable(keepsStatements),
  learns: nullable(learns),
  savedQueries: nullable(savedQueries),
  isAskEnabled: nullable(isAskEnabled),
  answersOnlyChecked: nullable(answersOnlyChecked),
  rowsToModel: nullable(rowsToModel),
  candidates: nullable(candidates),
});
export type McpOverrides = Static<typeof overrides>;

export const McpProjectSettings = Type.Object(
  {
    projectId: Id,
    projectName: Type.String(),
    overrides,
    effective: McpProjectValues,
    ...governed,
  },
  { $id: 'McpProjectSettings' },
);
export type McpProjectSettings = Static<typeof McpProjectSettings>;

const read = access.administerRead('Auditor', 'SecurityAdmin');
const write = access.administer('SecurityAdmin');
const ProjectParams = Type.Object({ projectId: Id });
const refusals = {
  409: 'The configuration locks a setting, or its limit is lower (`/errors/setting-locked`).',
  412: 'The settings changed after the caller read them.',
} as const;

export const getMcpSettings = defineEndpoint({
  operationId: 'getMcpSettings',
  tag,
  summary: 'MCP settings for all projects',
  method: 'GET',
  path: '/svc/api/mcp/settings',
  responses: { 200: McpSettings },
  sends: ['ETag'],
  access: read,
});

export const updateMcpSettings = defineEndpoint({
  operationId: 'updateMcpSettings',
  tag,
  summary: 'Changes the MCP settings for all projects; omitted settings do not change',
  method: 'PUT',
  path: '/svc/api/mcp/settings',
  body: partly<McpValues>(McpValues),
  responses: { 200: McpSettings },
  edits: 'McpSettings',
  sends: ['ETag'],
  access: write,
  refusals,
});

export const listMcpProjects = defineEndpoint({
  operationId: 'listMcpProjects',
  tag,
  summary: 'Projects with the names of the settings that they override, sorted by name',
  method: 'GET',
  path: '/svc/api/mcp/projects',
  query: Type.Object({ ...listQuery, search: Type.Optional(Type.String({ maxLength: 200 })) }),
  responses: {
    200: pageOf(
      Type.Object({
        projectId: Id,
        name: Type.String(),
        overriddenFields: Type.Array(Field),
      }),
    ),
  },
  access: read,
});

export const getMcpProjectSettings = defineEndpoint({
  operationId: 'getMcpProjectSettings',
  tag,
  summary: 'MCP settings of one project',
  method: 'GET',
  path: '/svc/api/mcp/projects/{projectId}/settings',
  params: ProjectParams,
  responses: { 200: McpProjectSettings },
  sends: ['ETag'],
  access: read,
});

export const updateMcpProjectSettings = defineEndpoint({
  operationId: 'updateMcpProjectSettings',
  tag,
  summary: 'Changes the MCP settings of one project; null inherits, and omitted settings do not change',
  method: 'PUT',
  path: '/svc/api/mcp/projects/{projectId}/settings',
  params: ProjectParams,
  body: partly<McpOverrides>(overrides),
  responses: { 200: McpProjectSettings },
  edits: 'McpProjectSettings',
  sends: ['ETag'],
  access: write,
  refusals,
});

export const McpSettingsChange = Type.Object(
  {
    id: Type.Integer({ minimum: 1 }),
    projectId: nullable(Id),
    projectName: nullable(Type.String()),
    changedAt: Time,
    changedByUserName: nullable(Type.String()),
    changes: Type.Array(Type.Object({ field: Field, before: Type.Unknown(), after: Type.Unknown() })),
  },
  { $id: 'McpSettingsChange' },
);
export type McpSettingsChange = Static<typeof McpSettingsChange>;

export const listMcpSettingsChanges = defineEndpoint({
  operationId: 'listMcpSettingsChanges',
  tag,
  summary: 'History of changes to MCP settings, newest first',
  method: 'GET',
  path: '/svc/api/mcp/settings/history',
  query: Type.Object({ ...listQuery, projectId: Type.Optional(Id) }),
  responses: { 200: pageOf(McpSettingsChange) },
  access: read,
});
