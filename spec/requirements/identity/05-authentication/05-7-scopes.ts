import type { RequirementEntry } from '../../entry.ts';

/** identity, sign-in and API keys, section 5.7. */
export const scopes = [
  {
    id: 'ID-5.7-01',
    section: '5.7',
    text: 'The scope `Read` grants the `GET` routes under `/svc/api` that list or read stored data.',
  },
  {
    id: 'ID-5.7-02',
    section: '5.7',
    text: 'The scope `Execute` grants every request that changes state.',
  },
  { id: 'ID-5.7-03', section: '5.7', text: 'The scope `Execute` grants the MCP endpoint.' },
  {
    id: 'ID-5.7-04',
    section: '5.7',
    text: 'For an API key every `/svc/api` request with a method other than `GET`, `HEAD` and `OPTIONS` needs the scope `Execute`.',
  },
  {
    id: 'ID-5.7-05',
    section: '5.7',
    text: 'The few `GET` routes that run SQL or dial a data source need the scope `Execute` too, `GET /svc/api/data-sources/{id}/metadata` among them.',
  },
  {
    id: 'ID-5.7-06',
    section: '5.7',
    text: 'The scope rules for API keys hold whether or not user management is enabled.',
  },
  {
    id: 'ID-5.7-07',
    section: '5.7',
    text: "With authorization or user management on, the role of an API key's owner is checked as well, so that a scope caps rights and grants none.",
  },
  {
    id: 'ID-5.7-08',
    section: '5.7',
    text: 'An Execute key keeps its scope only while its owner has write permission: Editor or above, or super admin.',
  },
  {
    id: 'ID-5.7-09',
    section: '5.7',
    text: "The write permission of an Execute key's owner is checked on every request.",
  },
  { id: 'ID-5.7-10', section: '5.7', text: 'The whole of `/svc/mcp` needs the scope `Execute`.' },
  { id: 'ID-5.7-11', section: '5.7', text: 'A Read key cannot open an MCP session.' },
  {
    id: 'ID-5.7-12',
    section: '5.7',
    text: 'The MCP layer itself refuses the requests of a Read key, however the endpoint is mapped.',
  },
  {
    id: 'ID-5.7-13',
    section: '5.7',
    text: 'The realtime hub accepts browser sessions only, and no API key reaches it.',
  },
  {
    id: 'ID-5.7-14',
    section: '5.7',
    text: 'Scopes constrain only API keys, and mapped identity-provider callers on MCP.',
  },
  {
    id: 'ID-5.7-15',
    section: '5.7',
    text: 'Cookie and OIDC sessions carry no scope claims and are governed by roles alone.',
  },
  {
    id: 'ID-5.7-16',
    section: '5.7',
    text: 'Callers who authenticate by an Authorization header need no antiforgery token.',
  },
  {
    id: 'ID-5.7-17',
    section: '5.7',
    text: 'The MCP discovery documents name `Execute` as the only supported scope.',
  },
  { id: 'ID-5.7-18', section: '5.7', text: 'The scope `Execute` grants every request that runs SQL.' },
  {
    id: 'ID-5.7-19',
    section: '5.7',
    text: 'The scope `Execute` grants every request that dials a data source.',
  },
  {
    id: 'ID-5.7-20',
    section: '5.7',
    text: 'The scope `Execute` grants every request that makes an outbound call.',
  },
  { id: 'ID-5.7-21', section: '5.7', text: 'The scope `Execute` grants every request that calls the LLM.' },
  {
    id: 'ID-5.7-22',
    section: '5.7',
    text: 'The scope rules for API keys hold whether or not authorization is enabled.',
  },
  {
    id: 'ID-5.7-23',
    section: '5.7',
    text: 'An Execute key keeps its scope only while the authorization provider consents.',
  },
] as const satisfies readonly RequirementEntry[];
