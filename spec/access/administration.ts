import { row } from './expectation.ts';
import { admins, adminsAnd } from './presets.ts';

/** Routes that the source gives to Admins or to one permission alone. */
export const administrationRows = [
  row('GET /svc/api/glossary', admins, 'The glossary needs an Admin.'),
  row('POST /svc/api/glossary', admins, 'The glossary needs an Admin.'),
  row('GET /svc/api/glossary/{id}', admins, 'The glossary needs an Admin.'),
  row('PUT /svc/api/glossary/{id}', admins, 'The glossary needs an Admin.'),
  row('DELETE /svc/api/glossary/{id}', admins, 'The glossary needs an Admin.'),
  row('POST /svc/api/glossary/recheck', admins, 'The glossary needs an Admin.'),
  row('GET /svc/api/glossary/export', admins, 'The glossary needs an Admin.'),
  row('POST /svc/api/glossary/import', admins, 'The glossary needs an Admin.'),
  row('GET /svc/api/eval/golden', admins, 'Golden examples need an Admin.'),
  row('POST /svc/api/eval/golden', admins, 'Golden examples need an Admin.'),
  row('GET /svc/api/eval/golden/{id}', admins, 'Golden examples need an Admin.'),
  row('PUT /svc/api/eval/golden/{id}', admins, 'Golden examples need an Admin.'),
  row('DELETE /svc/api/eval/golden/{id}', admins, 'Golden examples need an Admin.'),
  row('POST /svc/api/eval/golden/recheck', admins, 'Golden examples need an Admin.'),
  row('GET /svc/api/eval/feedback', admins, 'Feedback needs an Admin.'),
  row('GET /svc/api/eval/candidates', admins, 'Candidates need an Admin.'),
  row('POST /svc/api/eval/candidates/{id}/promote', admins, 'Candidates need an Admin.'),
  row('POST /svc/api/eval/candidates/{id}/dismiss', admins, 'Candidates need an Admin.'),
  row('GET /svc/api/eval/runs', admins, 'Eval runs need an Admin.'),
  row('POST /svc/api/eval/runs', admins, 'Eval runs need an Admin.', { passesWith: [409] }),
  row('GET /svc/api/eval/runs/{id}', admins, 'Eval runs need an Admin.'),
  row('POST /svc/api/eval/runs/{id}/cancel', admins, 'Eval runs need an Admin.'),
  row('GET /svc/api/eval/runs/{id}/results', admins, 'Eval runs need an Admin.'),
  row('GET /svc/api/eval/runs/{id}/compare', admins, 'Eval runs need an Admin.'),
  row('PUT /svc/api/queries/{id}/mcp-tool', adminsAnd('securityAdmin'), 'Publishing needs a SecurityAdmin.'),
  row(
    'GET /svc/api/mcp/published-queries',
    adminsAnd('auditor', 'securityAdmin'),
    'What AI clients are offered is for whoever governs MCP: an Auditor reads it, a SecurityAdmin changes it.',
  ),
  row('PUT /svc/api/data-sources/{id}/migration-writes', admins, 'Allowing migration writes needs an Admin.'),
  row(
    'PUT /svc/api/projects/repositories/{id}/token',
    adminsAnd('securityAdmin'),
    'The token of a repository needs a SecurityAdmin.',
  ),
] as const;
