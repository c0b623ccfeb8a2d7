import type { HttpClient } from '@svc/testkit/client/http-client.ts';

/** Lists whose length an upgrade preserves. */
const lists = [
  'projects',
  'data-sources',
  'queries',
  'subscriptions',
  'recipients',
  'notifications',
  'notices',
  'tasks',
  'users',
  'api-keys',
  'data-quality/contracts',
  'mcp/audit?pageSize=1&event=keys.api_key_created',
] as const;

type RunItem = {
  readonly id: number;
  readonly status: string;
  readonly resultCount: number | null;
  readonly recipientNames: readonly string[];
};

/** Returns the counts of a service and how its runs ended, from its API as an administrator sees it. */
export async function summaryOf(client: HttpClient): Promise<Readonly<Record<string, unknown>>> {
  const summary: Record<string, unknown> = {};
  for (const list of lists) {
    const answer = await client.get(`/svc/api/${list}`);
    if (answer.status !== 200) throw new Error(`${list} answered ${answer.status}: ${answer.text}`);
    summary[list] = answer.body.totalCount;
  }
  const { body } = await client.get('/svc/api/notifications?pageSize=100');
  const runs: readonly RunItem[] = body.items;
  summary['runs'] = runs
    .toSorted((a, b) => a.id - b.id)
    .map(({ id, status, resultCount, recipientNames }) =>
      [id, status, resultCount ?? 'no count', ...recipientNames].join(', '),
    );
  return summary;
}
