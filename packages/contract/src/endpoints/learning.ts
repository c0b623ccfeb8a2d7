import { type Static, Type } from 'typebox';
import { access } from '../access.ts';
import { defineEndpoint } from '../endpoint.ts';
import { Id, IdParams, listQuery, nullable, pageOf, Time, wordOf } from '../shapes.ts';

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
      description: 'Golden examples of the data source whose statements name what the pattern is about.',
    }),
    checkedCount: Type.Integer({ minimum: 0, description: 'Those that were asked of the data source.' }),
    agreeing: Type.Integer({ minimum: 0, description: 'Their statements do what the pattern says.' }),
    contradicting: Type.Integer({ minimum: 0, description: 'Their statements do otherwise.' }),
    broken: Type.Integer({ minimum: 0, description: 'A gate refuses their statements now.' }),
    examples: Type.Array(
      Type.Object({
        goldenExampleId: Id,
        relation: wordOf(['Agrees', 'Contradicts', 'Neither']),
        check: wordOf(['Passed', 'Failed', 'Unchecked'], {
          description:
            'What the gates say of its statement now. Unchecked: the source could not be asked in time.',
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
    text: Type.String({ description: 'What was learnt, in one sentence, made of names of the schema.' }),
    statement: nullable(
      Type.String({ description: 'Of a common query: its statement, with `?` for each value.' }),
    ),
    signalCount: count,
    callerCount: count,
    state: wordOf(patternStates),
    decidedByUserName: nullable(Type.String()),
    decidedAt: nullable(Time),
    replay: nullable(PatternReplay, { description: 'What was replayed when it was decided.' }),
    canDecide: Type.Boolean({ description: 'Whether the caller writes in the project.' }),
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
    section: Type.String({ description: 'Kind of the section that it is added to.' }),
    table: Type.String(),
    currentContent: nullable(Type.String({ description: 'Text of the section now.' })),
    currentVersion: Type.Integer({ minimum: 0, description: '0: the section is not written yet.' }),
    proposedContent: Type.String({ description: 'Markdown that is added at the end of the section.' }),
    reasoning: Type.String(),
    supportingSignalCount: count,
    state: wordOf(patchStates),
    decidedByUserName: nullable(Type.String()),
    decidedAt: nullable(Time),
    canDecide: Type.Boolean({ description: 'Whether the caller writes in the project.' }),
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
      description: 'Share of statements that were answered; null without any.',
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
          'Tables with 3 signals or more of which some were refused, the worst share first; 50 at most.',
      },
    ),
  },
  { $id: 'LearningStats' },
);
export type LearningStats = Static<typeof LearningStats>;

const unreadablePattern = 'There is no such pattern in a project that the caller reads.';
const unreadablePatch = 'There is no such patch in a project that the caller reads.';

/** Sort names: `signalCount`, `callerCount`, `createdTime`, `table`; default `-signalCount`. */
export const listLearnedPatterns = defineEndpoint({
  operationId: 'listLearnedPatterns',
  tag,
  summary: 'Lists what was learnt of how data is asked for, in projects that the caller reads',
  method: 'GET',
  path: '/svc/api/mcp/learned-patterns',
  query: Type.Object({
    ...listQuery,
    projectId: Type.Optional(Id),
    dataSourceId: Type.Optional(Id),
    state: Type.Optional(wordOf(patternStates)),
    kind: Type.Optional(wordOf(patternKinds)),
    table: Type.Optional(Type.String({ maxLength: 200, description: 'Part of the table’s name.' })),
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
  summary: 'Holds a pattern against the golden examples of its data source',
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
  summary: 'Approves a pattern, which clients and models are told from then on, or rejects it',
  method: 'PUT',
  path: '/svc/api/mcp/learned-patterns/{id}/status',
  params: IdParams,
  body: Type.Object({ newStatus: wordOf(['Approved', 'Rejected']) }),
  responses: { 200: LearnedPattern },
  access: access.write({ project: 'writable' }),
  refusals: { 404: unreadablePattern, 409: 'The schema does not have its names any more.' },
});

/** The service also learns every hour. */
export const learnNow = defineEndpoint({
  operationId: 'learnNow',
  tag,
  summary: 'Starts learning from the use of a project now',
  method: 'POST',
  path: '/svc/api/mcp/learning/run',
  body: Type.Object({ projectId: Id }),
  responses: { 202: Type.Object({ jobId: Type.String({ format: 'uuid' }) }) },
  access: access.write({ project: 'writable' }),
  refusals: {
    404: 'The project does not exist, or the caller may not see it.',
    409: 'Learning is off in the project.',
  },
});

/** Sort names: `supportingSignalCount`, `createdTime`; default `-supportingSignalCount`. */
export const listDocumentationPatches = defineEndpoint({
  operationId: 'listDocumentationPatches',
  tag,
  summary: 'Lists what use of the data would add to the documentation, in projects that the caller reads',
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
  summary: 'Adds a patch to its section, as a new version of it',
  method: 'POST',
  path: '/svc/api/mcp/documentation-patches/{id}/apply',
  params: IdParams,
  body: Type.Object({
    sectionVersion: Type.Integer({
      minimum: 0,
      maximum: 2_147_483_647,
      description: 'Version of the section that the caller saw; 0 where there was none.',
    }),
  }),
  responses: { 200: DocumentationPatch },
  access: access.write({ project: 'writable' }),
  refusals: {
    404: unreadablePatch,
    409: 'The patch was decided already.',
    412: 'The section was written meanwhile.',
  },
});

export const rejectDocumentationPatch = defineEndpoint({
  operationId: 'rejectDocumentationPatch',
  tag,
  summary: 'Rejects a patch; it is not proposed again',
  method: 'POST',
  path: '/svc/api/mcp/documentation-patches/{id}/reject',
  params: IdParams,
  responses: { 200: DocumentationPatch },
  access: access.write({ project: 'writable' }),
  refusals: { 404: unreadablePatch, 409: 'The patch was decided already.' },
});

export const getLearningStats = defineEndpoint({
  operationId: 'getLearningStats',
  tag,
  summary: 'How statements fare in projects that the caller reads, and what was learnt of them',
  method: 'GET',
  path: '/svc/api/mcp/learning-stats',
  query: Type.Object({ projectId: Type.Optional(Id) }),
  responses: { 200: LearningStats },
  readsLate: true,
  access: access.read(),
  refusals: { 404: 'The project does not exist, or the caller may not see it.' },
});
