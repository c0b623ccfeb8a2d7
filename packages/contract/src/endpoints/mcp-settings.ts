import { type Static, Type } from 'typebox';
import { access } from '../access.ts';
import { defineEndpoint } from '../endpoint.ts';
import { Id, listQuery, mapOf, nullable, pageOf, partly, Time, wordOf } from '../shapes.ts';

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

const isEnabled = Type.Boolean({ description: 'Whether AI clients may call tools at all.' });
const disabledTools = Type.Array(Type.String({ minLength: 1, maxLength: 128 }), {
  maxItems: 200,
  description: 'Names of tools that are switched off.',
});
const maxRows = limit(mcpLimits.maxRows, 'Most rows of one result.');
const statementTimeoutSeconds = limit(
  mcpLimits.statementTimeoutSeconds,
  'Longest time of one statement, in seconds.',
);
const maxResultBytes = limit(
  mcpLimits.maxResultBytes,
  'Most bytes of the rows of one result, in its text and in its structure each.',
);
const maxConcurrentCalls = limit(mcpLimits.maxConcurrentCalls, 'Calls of one caller at once, by process.');
const maxCallsPerMinute = limit(mcpLimits.maxCallsPerMinute, 'Calls of one caller a minute, by process.');
const piiPatterns = Type.Array(Pattern, {
  maxItems: 100,
  description: 'More patterns of column names and values that are masked, beside those of the configuration.',
});
const keepsStatements = Type.Boolean({ description: 'Whether the audit keeps the arguments of calls.' });
const learns = Type.Boolean({
  description:
    'Whether use of the data is learnt from. Nothing of it takes effect before somebody approves it.',
});
/** Saved queries that AI clients can search and run: published queries, or all. */
export const savedQueriesChoices = ['Published', 'All'] as const;
export type SavedQueriesChoice = (typeof savedQueriesChoices)[number];
const savedQueries = Type.Unsafe<SavedQueriesChoice>({
  ...wordOf(savedQueriesChoices),
  description:
    'Published: clients find only queries that a SecurityAdmin published, and run the version that was. All: every saved query, as it is saved now.',
});
const isAskEnabled = Type.Boolean({
  description: 'Whether questions in plain language are taken, from people and from AI clients.',
});
const answersOnlyChecked = Type.Boolean({
  description:
    'Whether only statements that people have checked answer questions; no language model writes any.',
});
/** Rows that a language model may see: none, or masked rows of an answer that a user wants explained. */
export const rowsToModelChoices = ['Never', 'Masked'] as const;
export type RowsToModelChoice = (typeof rowsToModelChoices)[number];
const rowsToModel = Type.Unsafe<RowsToModelChoice>({
  ...wordOf(rowsToModelChoices),
  description:
    'Never: no row goes to a language model. Masked: those of an answer do, masked, when whoever asked wants it explained.',
});
const candidates = limit(
  mcpLimits.candidates,
  'Statements that a language model writes for one question; that answers whose rows most of them give.',
);
const instruction = nullable(
  Type.String({
    maxLength: 4_000,
    description: 'What every client is told beside the built-in instructions.',
  }),
);
const toolDescriptions = mapOf(Type.String({ minLength: 1, maxLength: 2_000 }), {
  nameLengthMax: 128,
  sizeMax: 200,
  description: 'Descriptions that replace the built-in ones, by tool.',
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
  lockedFields: Type.Array(Field, { description: 'Decided by the configuration; changing one answers 409.' }),
  clampedFields: Type.Array(Field, { description: 'Set higher than the configuration allows now.' }),
  ceilings: mapOf(Type.Integer(), { description: 'Most that each number may be set to, by field.' }),
  version: Type.Integer({ minimum: 0, description: '0: nothing was ever saved.' }),
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
  409: 'The configuration locks a setting, or caps it lower (`/errors/setting-locked`).',
  412: 'The settings changed since they were read.',
} as const;

export const getMcpSettings = defineEndpoint({
  operationId: 'getMcpSettings',
  tag,
  summary: 'Settings of MCP for all projects',
  method: 'GET',
  path: '/svc/api/mcp/settings',
  responses: { 200: McpSettings },
  sends: ['ETag'],
  access: read,
});

export const updateMcpSettings = defineEndpoint({
  operationId: 'updateMcpSettings',
  tag,
  summary: 'Changes settings of MCP for all projects; what is left out stays',
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
  summary: 'Projects with what they set for themselves, by name',
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
  summary: 'Settings of MCP in one project',
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
  summary: 'Changes settings of MCP in one project; null inherits, what is left out stays',
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
  summary: 'Who changed which setting of MCP, newest first',
  method: 'GET',
  path: '/svc/api/mcp/settings/history',
  query: Type.Object({ ...listQuery, projectId: Type.Optional(Id) }),
  responses: { 200: pageOf(McpSettingsChange) },
  access: read,
});
