import { type Static, Type } from 'typebox';
import { access } from '../../access.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { nullable, wordOf } from '../../shapes.ts';
import { draftBody } from './queries.ts';

/** Checks before a query runs, in this order. All but the first and the last run for each step. */
export const preflightGates = ['parameters', 'statement', 'source', 'engine', 'masking', 'limits'] as const;
export const preflightVerdicts = ['Passed', 'Failed', 'Warned', 'NotChecked'] as const;

export const PreflightGate = Type.Object({
  gate: wordOf(preflightGates),
  stepOrder: nullable(Type.Integer({ minimum: 1, description: 'Step of the gate; null: the whole query.' })),
  isFinalQuery: Type.Boolean(),
  verdict: wordOf(preflightVerdicts),
  message: Type.String({ description: 'Result of the gate.' }),
  next: nullable(Type.String({ description: 'Next step for the user.' })),
  position: nullable(
    Type.Object(
      { line: Type.Integer({ minimum: 1 }), column: Type.Integer({ minimum: 1 }) },
      { description: 'Position in the text of the step or of the final query.' },
    ),
  ),
});
export type PreflightGate = Static<typeof PreflightGate>;

export const Preflight = Type.Object(
  {
    isReady: Type.Boolean({ description: 'No gate failed.' }),
    gates: Type.Array(PreflightGate),
  },
  { $id: 'Preflight' },
);
export type Preflight = Static<typeof Preflight>;

export const preflightDraft = defineEndpoint({
  operationId: 'preflightDraft',
  tag: 'queries',
  summary: 'Checks a draft gate by gate without running it; the engine only returns its plan',
  method: 'POST',
  path: '/svc/api/queries/preflight',
  body: draftBody,
  responses: { 200: Preflight },
  access: access.write({ project: 'writable' }),
  refusals: { 400: 'Two names are equal, or a step reads a data source that is not linked.' },
});
