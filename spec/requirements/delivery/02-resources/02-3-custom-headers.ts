import type { RequirementEntry } from '../../entry.ts';

/** notification delivery and endpoint observability, section 2.3. */
export const customHeaders = [
  {
    id: 'DL-2.3-01',
    section: '2.3',
    text: 'Custom headers are a JSON object of string values with at most 20 headers.',
  },
  {
    id: 'DL-2.3-02',
    section: '2.3',
    text: 'The value of a custom header has at most 4,096 characters and no control characters.',
  },
  {
    id: 'DL-2.3-03',
    section: '2.3',
    text: 'The allowed names of custom headers are `Authorization`, `Api-Key`, `X-Api-Key` and `Ocp-Apim-Subscription-Key`.',
  },
  {
    id: 'DL-2.3-04',
    section: '2.3',
    text: '`Svc:Notifications:AllowedHeaders` adds allowed names of custom headers.',
  },
  {
    id: 'DL-2.3-05',
    section: '2.3',
    text: 'Headers that control connection, routing, cookies or access to cloud metadata, such as `Host`, `Content-Type`, `Cookie`, `X-Forwarded-For` and `Metadata-Flavor`, are refused as custom headers whatever the settings allow.',
  },
  {
    id: 'DL-2.3-06',
    section: '2.3',
    text: 'The values of custom headers are encrypted like the destination.',
  },
  {
    id: 'DL-2.3-07',
    section: '2.3',
    text: 'A masked custom header value that comes back in an edit keeps the stored value.',
  },
  {
    id: 'DL-2.3-08',
    section: '2.3',
    text: 'Clearing the custom headers field in an edit removes all custom headers.',
  },
] as const satisfies readonly RequirementEntry[];
