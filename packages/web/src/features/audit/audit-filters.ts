import type { exportAudit, listAudit, QueryOf } from '@svc/contract';
import type { ListState } from '../../ui/list/list-page.tsx';

/** Spans that the list offers. The service reads at most 93 days. */
export const spans = [
  { value: '1h', label: 'Last hour', hours: 1 },
  { value: '1d', label: 'Last day', hours: 24 },
  { value: '7d', label: 'Last 7 days', hours: 7 * 24 },
  { value: '30d', label: 'Last 30 days', hours: 30 * 24 },
] as const;

/** Families of events, by the part of the event name before the dot. */
export const families = [
  { value: 'auth', label: 'Signing in and out' },
  { value: 'access', label: 'Refused access' },
  { value: 'users', label: 'Users' },
  { value: 'keys', label: 'API keys' },
  { value: 'projects', label: 'Projects' },
  { value: 'data_sources', label: 'Data sources' },
  { value: 'queries', label: 'Queries' },
  { value: 'subscriptions', label: 'Subscriptions' },
  { value: 'recipients', label: 'Recipients' },
  { value: 'approvals', label: 'Approvals' },
  { value: 'mcp', label: 'Calls of AI clients' },
  { value: 'settings', label: 'Settings' },
  { value: 'setup', label: 'Setup' },
  { value: 'audit', label: 'This log' },
] as const;

const hourMs = 3_600_000;

/** Returns the query of the service for the state of the address. `now`: end of the span. */
export function auditQuery(state: ListState, now: number): QueryOf<typeof listAudit> {
  const { span, userId, apiKeyId, projectId, ...rest } = state;
  const selectedSpan = spans.find((each) => each.value === span);
  const id = (name: string, text: string | undefined) =>
    text !== undefined && /^[1-9]\d{0,9}$/.test(text) ? { [name]: Number(text) } : {};
  return {
    ...rest,
    ...(selectedSpan && { from: new Date(now - selectedSpan.hours * hourMs).toISOString() }),
    ...id('userId', userId),
    ...id('apiKeyId', apiKeyId),
    ...id('projectId', projectId),
  };
}

/** Returns the query of the export for the same events. It covers all pages, up to `now`. */
export function auditFileQuery(state: ListState, now: number): QueryOf<typeof exportAudit> {
  const { page: _page, pageSize: _pageSize, sort: _sort, tab: _tab, ...filters } = state;
  return { ...auditQuery(filters, now), to: new Date(now).toISOString() };
}

/** Returns "Users: created" for "users.created", and "Keys: API key revoked" for "keys.api_key_revoked". */
export function eventWords(event: string): string {
  const [family = '', ...rest] = event.split('.');
  const plain = (text: string) => text.replaceAll('_', ' ').replaceAll(/\bapi\b/g, 'API');
  const start = plain(family);
  return `${start.charAt(0).toUpperCase()}${start.slice(1)}: ${plain(rest.join('.'))}`;
}
