import { type Static, Type } from 'typebox';
import { access } from '../access.ts';
import { defineEndpoint } from '../endpoint.ts';
import { nullable, wordOf } from '../shapes.ts';
import { draftBody, runRefusals } from './queries.ts';

/**
 * Responses of an engine to a request for the plan of a step. `NotOffered`: it has no plan for this kind of statement.
 */
export const planOutcomes = ['Explained', 'Refused', 'NotOffered'] as const;

const PlanNode = Type.Object({
  depth: Type.Integer({
    minimum: 0,
    description: '0: the outermost. Each node follows the one it belongs to.',
  }),
  label: Type.String({ description: "What is done and on which table, in the engine's own words." }),
  estimatedRows: nullable(Type.Number()),
  estimatedCost: nullable(
    Type.Number({ description: "In the engine's own unit, with what the nodes below it cost." }),
  ),
});
export type PlanNode = Static<typeof PlanNode>;

export const StepPlan = Type.Object({
  stepOrder: Type.Integer({ minimum: 1 }),
  dataSourceName: Type.String(),
  engine: Type.String(),
  outcome: wordOf(planOutcomes),
  message: nullable(Type.String({ description: 'Why there is no plan.' })),
  position: nullable(
    Type.Object({ line: Type.Integer({ minimum: 1 }), column: Type.Integer({ minimum: 1 }) }),
  ),
  estimatedRows: nullable(Type.Number()),
  estimatedCost: nullable(Type.Number()),
  nodes: Type.Array(PlanNode),
});
export type StepPlan = Static<typeof StepPlan>;

export const QueryPlans = Type.Object({ steps: Type.Array(StepPlan) }, { $id: 'QueryPlans' });
export type QueryPlans = Static<typeof QueryPlans>;

export const explainDraft = defineEndpoint({
  operationId: 'explainDraft',
  tag: 'queries',
  summary: 'Asks the engine of each step how it would go about it, without running it',
  method: 'POST',
  path: '/svc/api/queries/explain',
  body: draftBody,
  responses: { 200: QueryPlans },
  access: access.write({ project: 'writable' }),
  refusals: runRefusals,
});
