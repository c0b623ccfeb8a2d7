import { type Static, Type } from 'typebox';
import { access } from '../../access.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { Id, IdParams, listQuery, nullable, pageOf, Time, wordOf } from '../../shapes.ts';

const tag = 'mcp';

export const patternKinds = [
  'SchemaCorrection',
  'JoinPattern',
  'CommonQuery',
  'DocumentationGap',
  'BusinessTerm',
] as const;
export type PatternKind = (typeof patternKinds)[number];

/** `Superseded`: the schema no longer contains its names. */
export const patternStates = ['Proposed', 'Approved', 'Rejected', 'Superseded'] as const;
export type PatternState = (typeof patternStates)[number];

export const patchStates = ['Proposed', 'Applied', 'Rejected', 'Superseded'] as const;
export type PatchState = (typeof patchStates)[number];

const count = Type.Integer({ minimum: 0 });

/** Replay of a pattern on golden examples. It makes no request to a language model. */
export const PatternReplay = Type.Object(
  {
    replayedAt: Time,
    exampleCount: Type.Integer({
      minimum: 0,
      description: 'Golden examples of the data source whose statements use the tables of the pattern.',
    }),
    checkedCount: Type.Integer({ minimum: 0, description: 'Examples that the data source checked.' }),
    agreeing: Type.Integer({ minimum: 0, description: 'Examples whose statements agree with the pattern.' }),
    contradicting: Type.Integer({
      minimum: 0,
      description: 'Examples whose statements contradict the pattern.',
    }),
    broken: Type.Integer({ minimum: 0, description: 'Examples whose statements a gate refuses now.' }),
    examples: Type.Array(
      Type.Object({
        goldenExampleId: Id,
        relation: wordOf(['Agrees', 'Contradicts', 'Neither']),
        check: wordOf(['Passed', 'Failed', 'Unchecked'], {
          description:
            'Result of the gates for the statement now. `Unchecked`: the statement was not checked within the time limit.',
        }),
      }),
    ),
  },
  { $id: 'PatternReplay' },
);
export type PatternReplay = Static<typeof PatternReplay>;

export const LearnedPattern = Type.Object(
  {
    id: Id,
    projectId: Id,
    projectName: Type.String(),
    dataSourceId: Id,
    dataSourceName: Type.String(),
    kind: wordOf(patternKinds),
    table: Type.String(),
    column: nullable(Type.String()),
    text: Type.String({ description: 'The learned fact, in one sentence with names of the schema.' }),
    statement: nullable(
      Type.String({ description: 'For a common query: its statement, with `?` for each value.' }),
    ),
    signalCount: count,
    callerCount: count,
    state: wordOf(patternStates),
    decidedByUserName: nullable(Type.String()),
    decidedAt: nullable(Time),
    replay: nullable(PatternReplay, { description: 'Result of the replay at the decision.' }),
    canDecide: Type.Boolean({ description: 'The caller may write in the project.' }),
    createdTime: Time,
    lastRefreshedAt: Time,
  },
  { $id: 'LearnedPattern' },
);
export type LearnedPattern = Static<typeof LearnedPattern>;

export const DocumentationPatch = Type.Object(
  {
    id: Id,
    projectId: Id,
    projectName: Type.String(),
    dataSourceId: Id,
    patternId: Id,
    section: Type.String({ description: 'Kind of the documentation section that the patch extends.' }),
    table: Type.String(),
    currentContent: nullable(Type.String({ description: 'Current text of the section.' })),
    currentVersion: Type.Integer({ minimum: 0, description: '0: the section has no text yet.' }),
    proposedContent: Type.String({ description: 'Markdown that is appended to the section.' }),
    reasoning: Type.String(),
    supportingSignalCount: count,
    state: wordOf(patchStates),
    decidedByUserName: nullable(Type.String()),
    decidedAt: nullable(Time),
    canDecide: Type.Boolean({ description: 'The caller may write in the project.' }),
    createdTime: Time,
  },
  { $id: 'DocumentationPatch' },
);
export type DocumentationPatch = Static<typeof DocumentationPatch>;

export const LearningStats = Type.Object(
  {
    totalSignals: count,
    signals7d: count,
    signals30d: count,
    successRate: nullable(Type.Number({ minimum: 0, maximum: 1 }), {
      description: 'Share of statements that succeeded; null without statements.',
    }),
    patternsApproved: count,
    patternsProposed: count,
    patternsRejected: count,
    patchesApplied: count,
    patchesProposed: count,
    problemTables: Type.Array(
      Type.Object({
        projectId: Id,
        projectName: Type.String(),
        dataSourceId: Id,
        dataSourceName: Type.String(),
        table: Type.String(),
        signalCount: count,
        refusedCount: count,
      }),
      {
        description:
          'At most 50 tables with 3 or more signals, some of them refused. The highest refused share comes first.',
      },
    ),
  },
  { $id: 'LearningStats' },
);
export type LearningStats = Static<typeof LearningStats>;

const unreadablePattern = 'The pattern does not exist, or the caller cannot read its project.';
const unreadablePatch = 'The patch does not exist, or the caller cannot read its project.';

/** Sort names: `signalCount`, `callerCount`, `createdTime`, `table`; default `-signalCount`. */
export const listLearnedPatterns = defineEndpoint({
  operationId: 'listLearnedPatterns',
  tag,
  summary: 'Lists patterns that were learned from the use of data, in projects that the caller can read',
  method: 'GET',
  path: '/svc/api/mcp/learned-patterns',
  query: Type.Object({
    ...listQuery,
    projectId: Type.Optional(Id),
    dataSourceId: Type.Optional(Id),
    state: Type.Optional(wordOf(patternStates)),
    kind: Type.Optional(wordOf(patternKinds)),
    table: Type.Optional(Type.String({ maxLength: 200, description: 'Part of the table name.' })),
  }),
  responses: { 200: pageOf(LearnedPattern) },
  access: access.read(),
});

export const getLearnedPattern = defineEndpoint({
  operationId: 'getLearnedPattern',
  tag,
  summary: 'Reads one learned pattern',
  method: 'GET',
  path: '/svc/api/mcp/learned-patterns/{id}',
  params: IdParams,
  responses: { 200: LearnedPattern },
  access: access.read({ project: 'readable' }),
  refusals: { 404: unreadablePattern },
});

/** The data source plans the statements and does not run them. Nothing changes. */
export const replayLearnedPattern = defineEndpoint({
  operationId: 'replayLearnedPattern',
  tag,
  summary: 'Compares a pattern with the golden examples of its data source',
  method: 'POST',
  path: '/svc/api/mcp/learned-patterns/{id}/replay',
  params: IdParams,
  responses: { 200: PatternReplay },
  access: access.runByPost({ project: 'readable' }),
  refusals: { 404: unreadablePattern },
});

/** Approval replays the pattern on golden examples and stores the result with the pattern. */
export const decideLearnedPattern = defineEndpoint({
  operationId: 'decideLearnedPattern',
  tag,
  summary: 'Approves or rejects a pattern; clients and models receive approved patterns',
  method: 'PUT',
  path: '/svc/api/mcp/learned-patterns/{id}/status',
  params: IdParams,
  body: Type.Object({ newStatus: wordOf(['Approved', 'Rejected']) }),
  responses: { 200: LearnedPattern },
  access: access.write({ project: 'writable' }),
  refusals: { 404: unreadablePattern, 409: 'The schema no longer contains the names of the pattern.' },
});

/** The service also learns every hour. */
export const learnNow = defineEndpoint({
  operationId: 'learnNow',
  tag,
  summary: 'Starts learning from the use of the data of a project now',
  method: 'POST',
  path: '/svc/api/mcp/learning/run',
  body: Type.Object({ projectId: Id }),
  responses: { 202: Type.Object({ jobId: Type.String({ format: 'uuid' }) }) },
  access: access.write({ project: 'writable' }),
  refusals: {
    404: 'The project does not exist, or the caller may not see it.',
    409: 'Learning is disabled in the project.',
  },
});

/** Sort names: `supportingSignalCount`, `createdTime`; default `-supportingSignalCount`. */
export const listDocumentationPatches = defineEndpoint({
  operationId: 'listDocumentationPatches',
  tag,
  summary:
    'Lists proposed additions to the documentation from the use of data, in projects that the caller can read',
  method: 'GET',
  path: '/svc/api/mcp/documentation-patches',
  query: Type.Object({
    ...listQuery,
    projectId: Type.Optional(Id),
    state: Type.Optional(wordOf(patchStates)),
  }),
  responses: { 200: pageOf(DocumentationPatch) },
  access: access.read(),
});

/** The text is appended: it replaces no text of a user. */
export const applyDocumentationPatch = defineEndpoint({
  operationId: 'applyDocumentationPatch',
  tag,
  summary: 'Appends a patch to its section and creates a new version of the documentation',
  method: 'POST',
  path: '/svc/api/mcp/documentation-patches/{id}/apply',
  params: IdParams,
  body: Type.Object({
    sectionVersion: Type.Integer({
      minimum: 0,
      maximum: 2_147_483_647,
      description: 'Version of the section that the caller reviewed; 0 if the section had no text.',
    }),
  }),
  responses: { 200: DocumentationPatch },
  access: access.write({ project: 'writable' }),
  refusals: {
    404: unreadablePatch,
    409: 'The patch was already decided.',
    412: 'The section changed after the caller read it.',
  },
});

export const rejectDocumentationPatch = defineEndpoint({
  operationId: 'rejectDocumentationPatch',
  tag,
  summary: 'Rejects a patch; the service does not propose it again',
  method: 'POST',
  path: '/svc/api/mcp/documentation-patches/{id}/reject',
  params: IdParams,
  responses: { 200: DocumentationPatch },
  access: access.write({ project: 'writable' }),
  refusals: { 404: unreadablePatch, 409: 'The patch was already decided.' },
});

export const getLearningStats = defineEndpoint({
  operationId: 'getLearningStats',
  tag,
  summary: 'Statistics of statements and learned patterns in projects that the caller can read',
  method: 'GET',
  path: '/svc/api/mcp/learning-stats',
  query: Type.Object({ projectId: Type.Optional(Id) }),
  responses: { 200: LearningStats },
  readsLate: true,
  access: access.read(),
  refusals: { 404: 'The project does not exist, or the caller may not see it.' },
});
