import { but, type Expectations, everybody, row } from '../expectation.ts';
import { projectAdmins, projectReaders, projectRunners, projectWriters, readers } from '../presets.ts';

/** Credentials of the endpoint itself: keys and mapped tokens, but no browser session. */
const clients: Expectations = but(everybody(401), {
  readKey: 403,
  executeKey: 'passes',
  executeKeyOfDemotedOwner: 403,
  bearerToken: 403,
  mcpCaller: 'passes',
});

const documents = everybody('passes');
const document = 'Discovery documents are open to anybody, whatever is sent along.';

/** The MCP endpoint, its documents and its playground. */
export const mcpRows = [
  row(
    'POST /svc/mcp',
    clients,
    'An API key or a mapped access token with the scope Execute; a token that the mapping does not know is refused.',
  ),
  row('GET /.well-known/oauth-protected-resource', documents, document),
  row('GET /.well-known/oauth-protected-resource/svc/mcp', documents, document),
  row('GET /.well-known/mcp/server-card.json', documents, document),
  row('GET /svc/mcp/server-card', documents, document),
  row(
    'GET /svc/api/projects/{id}/mcp-context',
    projectRunners,
    'Readers of the project; its schemas may have to be read from their sources, so keys need Execute.',
  ),
  row(
    'GET /svc/api/projects/{id}/imported-documents',
    projectReaders,
    'Who reads the project reads the documents that the host brought into it.',
  ),
  row(
    'GET /svc/api/projects/{id}/imported-documents/{documentId}',
    projectReaders,
    'Who reads the project reads the documents that the host brought into it.',
  ),
  row(
    'POST /svc/api/projects/{id}/imported-documents',
    projectAdmins,
    'Uploading a document is administering the project; a key never does.',
  ),
  row(
    'PUT /svc/api/projects/{id}/imported-documents/{documentId}',
    projectAdmins,
    'Replacing a document is administering the project; a key never does.',
  ),
  row(
    'DELETE /svc/api/projects/{id}/imported-documents/{documentId}',
    projectAdmins,
    'Removing a document is administering the project; a key never does.',
  ),
  row(
    'POST /svc/api/projects/{id}/document-import',
    projectAdmins,
    'Starting an import is administering the project; a project without a folder is refused with 409.',
    { passesWith: [409] },
  ),
  row('GET /svc/api/mcp/tools', projectReaders, 'The tools of a project are told to those who read it.'),
  row(
    'POST /svc/api/mcp/tools/run',
    projectRunners,
    'Running a tool needs Execute, and reading the project.',
  ),
  row('GET /svc/api/mcp/learned-patterns', readers, 'A list is filtered to projects that the caller reads.'),
  row(
    'GET /svc/api/mcp/learned-patterns/{id}',
    projectReaders,
    'Who reads the project reads what was learnt there.',
  ),
  row(
    'POST /svc/api/mcp/learned-patterns/{id}/replay',
    projectRunners,
    'A replay asks the data source, so keys need Execute.',
  ),
  row(
    'PUT /svc/api/mcp/learned-patterns/{id}/status',
    projectWriters,
    'Who writes in the project decides what is told of its data.',
  ),
  row(
    'GET /svc/api/mcp/documentation-patches',
    readers,
    'A list is filtered to projects that the caller reads.',
  ),
  row(
    'POST /svc/api/mcp/documentation-patches/{id}/apply',
    projectWriters,
    'A patch changes the documentation of the project.',
  ),
  row(
    'POST /svc/api/mcp/documentation-patches/{id}/reject',
    projectWriters,
    'Who may apply a patch may reject it.',
  ),
  row('GET /svc/api/mcp/learning-stats', readers, 'Figures are of projects that the caller reads.'),
  // Must be the last row: its job supersedes the patterns that the other rows prepare.
  row(
    'POST /svc/api/mcp/learning/run',
    projectWriters,
    'Who writes in the project starts learning from its use.',
  ),
] as const;
