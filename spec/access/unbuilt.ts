import type { AccessRow } from './expectation.ts';

/** Operations that have a row and are not built yet; the list only shrinks. */
export const unbuilt: readonly AccessRow['operation'][] = [
  'GET /svc/api/approvals/pending',
  'GET /svc/api/approvals/{id}',
  'GET /svc/api/auth/sso/challenge',
  'GET /svc/api/eval/golden',
  'GET /svc/api/eval/runs',
  'GET /svc/api/glossary',
  'POST /svc/api/admin-settings/test-llm',
  'POST /svc/api/approvals/{id}/approve',
  'POST /svc/api/approvals/{id}/reject',
  'POST /svc/api/eval/runs',
  'POST /svc/api/glossary',
  'PUT /svc/api/ai-actors/{id}/owner',
  'PUT /svc/api/projects/repositories/{id}/token',
  'PUT /svc/api/queries/{id}/mcp-tool',
];

/** Operations that are built, but cannot be asked for before data sources can be made. */
export const waiting: readonly AccessRow['operation'][] = [];
