import type { RequirementEntry } from '../../entry.ts';

/** routes, REST conventions, hub, MCP and versioning, section 4.7. */
export const hostMapped = [
  {
    id: 'RT-4.7-01',
    section: '4.7',
    text: '`/openapi/v1.json` serves the OpenAPI document of the REST API.',
  },
  {
    id: 'RT-4.7-02',
    section: '4.7',
    text: '`/warp` serves the job dashboard, in the sample host only and to signed-in Admins only.',
  },
] as const satisfies readonly RequirementEntry[];
