import { needs } from '../../access/rights.ts';
import type { PageRoute } from './page-route.ts';

const { project, projectOr } = needs;

/** Pages about AI: questions, actors, evaluation and MCP. */
export const aiPages: readonly PageRoute[] = [
  {
    path: '/ai-actors',
    load: () => import('../../features/ai-actors/actors-page.tsx'),
    page: 'ActorsPage',
    need: project,
  },
  {
    path: '/ai-actors/$id',
    load: () => import('../../features/ai-actors/actor-page.tsx'),
    page: 'ActorPage',
    need: project,
  },
  {
    path: '/ai-actors/$id/edit',
    load: () => import('../../features/ai-actors/edit-actor-page.tsx'),
    page: 'EditActorPage',
    need: project,
  },
  {
    path: '/ask',
    load: () => import('../../features/ask/ask-page.tsx'),
    page: 'AskPage',
    need: project,
  },
  {
    path: '/evaluation',
    load: () => import('../../features/evaluation/evaluation-page.tsx'),
    page: 'EvaluationPage',
    need: needs.admin,
  },
  {
    path: '/mcp-playground',
    load: () => import('../../features/mcp/mcp-playground-page.tsx'),
    page: 'McpPlaygroundPage',
    need: project,
  },
  {
    path: '/mcp-learning',
    load: () => import('../../features/learning/learning-page.tsx'),
    page: 'LearningPage',
    need: project,
  },
  {
    path: '/ai-actors/new',
    load: () => import('../../features/ai-actors/new-actor-page.tsx'),
    page: 'NewActorPage',
    need: project,
  },
  {
    path: '/ai-actors/plans/$id',
    load: () => import('../../features/ai-actors/plan-page.tsx'),
    page: 'PlanPage',
    need: projectOr('Approver'),
  },
];
