import type { ChannelAnswer, ChannelRequest, SendRequest } from '../channel.ts';
import { jsonHeaders } from '../post-json.ts';
import type { IssueTrackerDestination } from './destination.ts';

/** Issues that one search reads, at most. */
const searchedIssuesMax = 50;

const searchedCharactersMax = 200;

/** Client of the tracker's REST API, version 3, for one account. */
export type IssueTrackerApi = {
  readonly post: (path: string, body: object) => Promise<ChannelAnswer>;
};

/** Creates a client that authenticates with the account's token, by HTTP basic authentication. */
export function createIssueTrackerApi(
  destination: IssueTrackerDestination,
  request: SendRequest,
): IssueTrackerApi {
  const { baseUrl, accountEmail, apiToken } = destination;
  const credentials = Buffer.from(`${accountEmail}:${apiToken}`, 'utf8').toString('base64');
  const headers = { ...jsonHeaders, accept: 'application/json', authorization: `Basic ${credentials}` };
  return {
    post: (path, body) => {
      const sent: ChannelRequest = {
        url: `${baseUrl}/rest/api/3${path}`,
        method: 'POST',
        headers,
        body: JSON.stringify(body),
        keepAnswer: true,
      };
      return request(sent);
    },
  };
}

/** Parses a response body as JSON; undefined if it is not JSON. */
export function readJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'));
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** Issue key in the tracker's form. Any other text never becomes part of a path. */
const issueKeyShape = /^[A-Z][A-Z0-9_]{0,254}-[0-9]{1,18}$/;

/** Returns the issue key of a response. */
export function readIssueKey(value: unknown): string | undefined {
  if (!isObject(value)) return undefined;
  const { key } = value;
  return typeof key === 'string' && issueKeyShape.test(key) ? key : undefined;
}

/** Returns true if the response refuses the field. */
export function refusesField(body: Uint8Array, field: string): boolean {
  const answer = readJson(body);
  return isObject(answer) && isObject(answer['errors']) && Object.hasOwn(answer['errors'], field);
}

/**
 * Returns the newest issue with exactly this summary, null if there is none, and undefined if the response is
 * unreadable.
 */
export function readFoundIssue(body: Uint8Array, summary: string): string | null | undefined {
  const answer = readJson(body);
  if (!isObject(answer) || !Array.isArray(answer['issues'])) return undefined;
  const issues: unknown[] = answer['issues'];
  const match = issues.find(
    (issue) => isObject(issue) && isObject(issue['fields']) && issue['fields']['summary'] === summary,
  );
  return readIssueKey(match) ?? null;
}

const quote = (text: string) => `"${text.replace(/[\\"]/g, '\\$&')}"`;

/** Names without special characters of the tracker's text search. */
const plainWords = /^[\p{L}\p{N}]+( [\p{L}\p{N}]+)*$/u;

/**
 * Returns the search for earlier issues: by project and label, newest first. A name without special characters also
 * narrows it by text. The search is not exact, so the caller compares the summary afterwards.
 */
export function searchBody(projectKey: string, label: string, name: string): object {
  const clauses = [`project = ${quote(projectKey)}`, `labels = ${quote(label)}`];
  if (name.length <= searchedCharactersMax && plainWords.test(name))
    clauses.push(`summary ~ ${quote(quote(name))}`);
  return {
    jql: `${clauses.join(' AND ')} ORDER BY created DESC`,
    fields: ['summary'],
    maxResults: searchedIssuesMax,
  };
}
