import type { RequirementEntry } from '../../entry.ts';

/** routes, REST conventions, hub, MCP and versioning, section 4.6. */
export const mcp = [
  { id: 'RT-4.6-01', section: '4.6', text: '`/svc/mcp` serves MCP over Streamable HTTP.' },
  {
    id: 'RT-4.6-02',
    section: '4.6',
    text: '`/svc/mcp` admits an API key or a mapped identity-provider bearer token with the scope Execute.',
  },
  {
    id: 'RT-4.6-03',
    section: '4.6',
    text: 'A 401 from `/svc/mcp` carries a `WWW-Authenticate` header of the scheme Bearer whose `resource_metadata` parameter points to the protected-resource document.',
  },
  {
    id: 'RT-4.6-04',
    section: '4.6',
    text: 'With `Svc:PublicBaseUrl` set, the discovery documents name that public origin.',
  },
  {
    id: 'RT-4.6-05',
    section: '4.6',
    text: 'With a key that is restricted to one project, MCP tools use that project without being told.',
  },
  {
    id: 'RT-4.6-06',
    section: '4.6',
    text: 'With several projects, MCP tool calls name theirs in `project_id`.',
  },
  {
    id: 'RT-4.6-960',
    section: '4.6',
    text: 'The MCP tool `get_documentation` tells the documentation of a project, at most 30,000 characters at a time, to callers that may use the project.',
  },
  {
    id: 'RT-4.6-961',
    section: '4.6',
    text: 'The MCP tool `get_query_context` tells what is known of a data source for a question, and no value of a row, to callers that may use the project.',
  },
] as const satisfies readonly RequirementEntry[];
