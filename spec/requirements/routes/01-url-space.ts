import type { RequirementEntry } from '../entry.ts';

/** routes, REST conventions, hub, MCP and versioning, section 1. */
export const urlSpace = [
  {
    id: 'RT-1-01',
    section: '1',
    text: 'Everything that the service serves lies below `/svc`, apart from the discovery documents and the paths that its settings or its host name.',
  },
  {
    id: 'RT-1-02',
    section: '1',
    text: 'The path `/` is answered by the host application and not by the service.',
  },
  { id: 'RT-1-03', section: '1', text: 'Below `/svc` the service serves a single-page web UI.' },
  {
    id: 'RT-1-04',
    section: '1',
    text: 'Below `/svc/api` the service serves its REST API and the realtime hub.',
  },
  { id: 'RT-1-05', section: '1', text: 'At `/svc/mcp` the service serves MCP over Streamable HTTP.' },
  {
    id: 'RT-1-06',
    section: '1',
    text: 'Below `/.well-known/` the service serves the MCP discovery documents.',
  },
] as const satisfies readonly RequirementEntry[];
