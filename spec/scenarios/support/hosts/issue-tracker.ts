import { type Received, startWebhookSink } from '@svc/testkit/runs/webhook-sink.ts';
import type { Settings } from '@svc/testkit/service/settings.ts';

export type TrackedIssue = {
  readonly key: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly comments: unknown[];
};

/** A test issue tracker that follows the public documentation of its REST API (version 3). */
export type IssueTracker = {
  readonly issues: TrackedIssue[];
  /** Destination of a recipient. */
  readonly destination: string;
  readonly settings: Settings;
  readonly close: () => Promise<void>;
};

const account = 'bot@example.org';
const token = 'tracker-token-0123456789';
const credentials = `Basic ${Buffer.from(`${account}:${token}`).toString('base64')}`;
const issueTypes = ['Task', 'Bug', 'Story'];
const priorities = ['High', 'Medium', 'Low'];

/** Returns true for a document of the tracker's format. The tracker refuses other values, including plain text. */
const isDocument = (value: unknown): boolean => {
  const { type, version, content } = Object(value) as Record<string, unknown>;
  return type === 'doc' && version === 1 && Array.isArray(content) && content.length > 0;
};

const nameOf = (value: unknown): unknown => (Object(value) as { name?: unknown }).name;

/** Check of each field, and the tracker's error for an invalid value. */
const fieldRules: Readonly<Record<string, { isRight: (value: unknown) => boolean; problem: string }>> = {
  project: {
    isRight: (value) => (Object(value) as { key?: unknown }).key === 'OPS',
    problem: 'valid project is required',
  },
  issuetype: {
    isRight: (value) => issueTypes.includes(String(nameOf(value))),
    problem: 'valid issue type is required',
  },
  priority: {
    isRight: (value) => priorities.includes(String(nameOf(value))),
    problem: 'The priority is not valid.',
  },
  summary: {
    isRight: (value) => typeof value === 'string' && value !== '' && !/[\r\n]/.test(value),
    problem: 'The summary is invalid.',
  },
  description: { isRight: isDocument, problem: 'Operation value must be a document.' },
  labels: {
    isRight: (value) => Array.isArray(value) && !value.some((label) => /\s/.test(String(label))),
    problem: 'A label contains spaces.',
  },
};

const problemsOf = (fields: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fieldRules).flatMap(([name, { isRight, problem }]) =>
      isRight(fields[name]) ? [] : [[name, problem]],
    ),
  );

/** Starts a tracker on loopback with one project, `OPS`, and one account. */
export async function startIssueTracker(): Promise<IssueTracker> {
  const issues: TrackedIssue[] = [];
  const answer = (status: number, body: unknown) => ({ status, body: JSON.stringify(body) });
  const search = (jql: unknown) => {
    if (!/^project = "OPS" AND labels = "Svc"/.test(String(jql))) return answer(400, {});
    const matches = issues
      .toReversed()
      .map(({ key, fields }) => ({ key, fields: { summary: fields['summary'] } }));
    return answer(200, { issues: matches });
  };
  const comment = (key: string | undefined, body: unknown) => {
    const issue = issues.find((candidate) => candidate.key === key);
    if (!issue) return answer(404, { errorMessages: ['Issue does not exist'] });
    if (!isDocument(body)) return answer(400, { errors: { comment: 'Comment body is not valid!' } });
    issue.comments.push(body);
    return answer(201, { id: '1' });
  };
  const create = (fields: Record<string, unknown>) => {
    const errors = problemsOf(fields);
    if (Object.keys(errors).length > 0) return answer(400, { errors });
    const key = `OPS-${issues.length + 1}`;
    issues.push({ key, fields, comments: [] });
    return answer(201, { id: '10000', key });
  };
  const respond = ({ method, path, headers, text }: Received): { status: number; body: string } => {
    if (headers['authorization'] !== credentials) return answer(401, { errorMessages: ['Unauthorized'] });
    if (method !== 'POST' || headers['content-type'] !== 'application/json') return answer(415, {});
    const sent = JSON.parse(text) as Record<string, unknown>;
    if (path === '/rest/api/3/search/jql') return search(sent['jql']);
    const commented = /^\/rest\/api\/3\/issue\/([^/]+)\/comment$/.exec(path);
    if (commented) return comment(commented[1], sent['body']);
    return path === '/rest/api/3/issue' ? create(Object(sent['fields'])) : answer(404, {});
  };
  const sink = await startWebhookSink({ respond });
  return {
    issues,
    destination: `${sink.url};OPS;${account};${token}`,
    settings: sink.settings,
    close: sink.close,
  };
}
