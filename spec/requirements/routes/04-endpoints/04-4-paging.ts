import type { RequirementEntry } from '../../entry.ts';

/** routes, REST conventions, hub, MCP and versioning, section 4.4. */
export const paging = [
  {
    id: 'RT-4.4-01',
    section: '4.4',
    text: 'The page of a list is chosen by `page`, which counts from zero and defaults to 0.',
  },
  { id: 'RT-4.4-02', section: '4.4', text: 'A negative `page` counts as 0.' },
  {
    id: 'RT-4.4-03',
    section: '4.4',
    text: "The size of a list's page is chosen by `pageSize`, which defaults to 20.",
  },
  {
    id: 'RT-4.4-04',
    section: '4.4',
    text: 'A `pageSize` outside 1 to 200 is clamped into that range and never refused.',
  },
  {
    id: 'RT-4.4-05',
    section: '4.4',
    text: "A list is sorted by `sort`, which holds comma-separated property names and defaults to the list's own order.",
  },
  { id: 'RT-4.4-06', section: '4.4', text: 'A leading `-` before a name in `sort` means descending order.' },
  { id: 'RT-4.4-07', section: '4.4', text: 'Unknown names in `sort` are ignored.' },
  { id: 'RT-4.4-08', section: '4.4', text: 'Every list endpoint takes `page`, `pageSize` and `sort`.' },
  { id: 'RT-4.4-09', section: '4.4', text: 'Every list endpoint answers in the shape of a paged list.' },
  {
    id: 'RT-4.4-10',
    section: '4.4',
    text: 'Lists are filtered to the projects that the caller can read before they are paged, so that counts never include hidden rows.',
  },
  {
    id: 'RT-4.4-980',
    section: '4.4',
    text: 'Every list endpoint leads in `Link` to its first page, and to the ones before and behind the page that it answers where there are such.',
  },
  {
    id: 'RT-4.4-981',
    section: '4.4',
    text: 'The links of a list keep its other query parameters.',
  },
] as const satisfies readonly RequirementEntry[];
