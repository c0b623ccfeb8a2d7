import { type Static, Type } from 'typebox';
import { access } from '../../access.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { nullable, wordOf } from '../../shapes.ts';
import { draftBody, runRefusals } from './queries.ts';

/**
 * Responses of an engine to a request for the plan of a step. `NotOffered`: it has no plan for this kind of statement.
 */
export const planOutcomes = ['Explained', 'Refused', 'NotOffered'] as const;

const PlanNode = Type.Object({
  depth: Type.Integer({
    minimum: 0,
    description: '0: the outermost node. Each node comes after its parent.',
  }),
  label: Type.String({ description: 'Operation and table, in the words of the engine.' }),
  estimatedRows: nullable(Type.Number()),
  estimatedCost: nullable(
    Type.Number({ description: 'Cost in the unit of the engine, including the nodes below.' }),
  ),
});
export type PlanNode = Static<typeof PlanNode>;

export const StepPlan = Type.Object({
  stepOrder: Type.Integer({ minimum: 1 }),
  dataSourceName: Type.String(),
  engine: Type.String(),
  outcome: wordOf(planOutcomes),
  message: nullable(Type.String({ description: 'Reason why no plan exists.' })),
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
  summary: 'Requests the execution plan of each step from its engine; executes nothing',
  method: 'POST',
  path: '/svc/api/queries/explain',
  body: draftBody,
  responses: { 200: QueryPlans },
  access: access.write({ project: 'writable' }),
  refusals: runRefusals,
});
