import type { ChannelAnswer, ChannelRequest, SendRequest } from '../channel.ts';
import { jsonHeaders } from '../post-json.ts';
import type { IssueTrackerDestination } from './destination.ts';

/** Issues that one search looks at. */
const searchedIssuesMax = 50;

const searchedCharactersMax = 200;

/** Requests to the tracker's REST API, version 3, on behalf of one account. */
export type IssueTrackerApi = {
  readonly post: (path: string, body: object) => Promise<ChannelAnswer>;
};

/** Signs requests with the account's token; the tracker's API takes them as basic authentication. */
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

/** An answer's body as JSON, or undefined when it is none. */
export function readJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'));
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** A key of an issue as the tracker writes it; anything else never gets into a path. */
const issueKeyShape = /^[A-Z][A-Z0-9_]{0,254}-[0-9]{1,18}$/;

/** The key of an issue in an answer. */
export function readIssueKey(value: unknown): string | undefined {
  if (!isObject(value)) return undefined;
  const { key } = value;
  return typeof key === 'string' && issueKeyShape.test(key) ? key : undefined;
}

/** Whether an answer says that a field may not be set. */
export function refusesField(body: Uint8Array, field: string): boolean {
  const answer = readJson(body);
  return isObject(answer) && isObject(answer['errors']) && Object.hasOwn(answer['errors'], field);
}

/** The newest issue with exactly this summary, null when there is none, undefined when the answer is not readable. */
export function readFoundIssue(body: Uint8Array, summary: string): string | null | undefined {
  const answer = readJson(body);
  if (!isObject(answer) || !Array.isArray(answer['issues'])) return undefined;
  const issues: unknown[] = answer['issues'];
  const found = issues.find(
    (issue) => isObject(issue) && isObject(issue['fields']) && issue['fields']['summary'] === summary,
  );
  return readIssueKey(found) ?? null;
}

const quote = (text: string) => `"${text.replace(/[\\"]/g, '\\$&')}"`;

/** Words that the tracker's text search takes as they are; anything else in a name has a meaning of its own there. */
const plainWords = /^[\p{L}\p{N}]+( [\p{L}\p{N}]+)*$/u;

/**
 * The search for earlier issues: by project and label, newest first, narrowed to the summary's words when they are
 * plain. The summary is compared exactly afterwards, since the search is not exact.
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
