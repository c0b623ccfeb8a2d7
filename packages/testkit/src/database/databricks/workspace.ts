import { randomUUID } from 'node:crypto';
import type { OperationName, SeenRequest } from './facts.ts';
import type { TestAnswer } from './results.ts';
import {
  chunkOf,
  type Reply,
  type Running,
  refusal,
  type StatementRequest,
  stateOf,
} from './statement-reply.ts';

/** Parameters of an opened session. */
export type OpenedSession = {
  readonly warehouse_id: string;
  readonly catalog: string;
  readonly schema: string;
  readonly session_confs: Readonly<Record<string, string>>;
};

/** Received statement with its user and its session. */
export type Submission = StatementRequest & { readonly user: string; readonly session: OpenedSession };

export type WorkspaceOptions = {
  readonly answer: (submission: Submission) => TestAnswer;
  /** Secrets of service principals, by their client id. */
  readonly clients?: Readonly<Record<string, string>>;
  /** User names by personal access token. */
  readonly accessTokens?: Readonly<Record<string, string>>;
  /** Number of status responses that report a running statement before its result. Default 0. */
  readonly pendingPolls?: number;
  readonly tokenLifetimeSeconds?: number;
};

/** Id of the only SQL warehouse. */
export const warehouseId = 'abcdef0123456789';

/** Tokens, sessions and statements of a workspace. */
export type Workspace = {
  readonly submissions: readonly Submission[];
  readonly cancelled: ReadonlySet<string>;
  readonly openSessions: ReadonlySet<string>;
  /** Answers a request that its description accepts. */
  readonly replyTo: (name: OperationName, request: SeenRequest) => Promise<Reply>;
  readonly withhold: (statement: string) => () => void;
  readonly revokeTokens: () => void;
};

export function createWorkspace(options: WorkspaceOptions): Workspace {
  const statements = new Map<string, Running>();
  const sessions = new Map<string, OpenedSession>();
  const openSessions = new Set<string>();
  const users = new Map(Object.entries(options.accessTokens ?? {}));
  const submissions: Submission[] = [];
  const cancelled = new Set<string>();
  const withheld = new Map<string, Promise<void>>();

  function issueToken({ headers }: SeenRequest): Reply {
    const client = Buffer.from(String(headers['authorization']).replace(/^Basic /, ''), 'base64').toString();
    const [id = '', ...secret] = client.split(':');
    if (options.clients?.[id] !== secret.join(':'))
      return {
        status: 401,
        body: { error: 'invalid_client', error_description: 'Client authentication failed' },
      };
    const access_token = `eyJ.${randomUUID()}`;
    users.set(access_token, id);
    const expires_in = options.tokenLifetimeSeconds ?? 3_600;
    return { status: 200, body: { access_token, token_type: 'Bearer', expires_in, scope: 'all-apis' } };
  }

  function open(body: string): Reply {
    const session = JSON.parse(body) as OpenedSession;
    if (session.warehouse_id !== warehouseId)
      return refusal(404, 'NOT_FOUND', `SQL warehouse ${session.warehouse_id} does not exist.`);
    const id = randomUUID();
    sessions.set(id, session);
    openSessions.add(id);
    return { status: 200, body: { session_id: id, session_version: { version_id: 1 } } };
  }

  async function submit(body: string, user: string): Promise<Reply> {
    const request = JSON.parse(body) as StatementRequest;
    const session = sessions.get(request.session_id);
    if (!session || !openSessions.has(request.session_id))
      return refusal(400, 'INVALID_PARAMETER_VALUE', 'The session does not exist.');
    const submission = { ...request, user, session };
    submissions.push(submission);
    await withheld.get(submission.statement);
    const id = randomUUID();
    const answer = options.answer(submission);
    statements.set(id, { answer, request, polls: options.pendingPolls ?? 0, isCancelled: false });
    return { status: 200, body: { statement_id: id, status: { state: 'PENDING' } } };
  }

  const close = (id: string): Reply =>
    openSessions.delete(id) ? { status: 200, body: {} } : refusal(404, 'NOT_FOUND', 'No such session.');

  async function replyTo(name: OperationName, request: SeenRequest): Promise<Reply> {
    if (name === 'token') return issueToken(request);
    const user = users.get(String(request.headers['authorization']).replace(/^Bearer /, ''));
    if (user === undefined) return refusal(403, '403', 'Invalid access token.');
    if (name === 'open') return open(request.body);
    if (name === 'submit') return submit(request.body, user);
    const [, id = '', chunk] =
      /\/(?:sessions|statements)\/([^/]+)(?:.*\/(\d+)$)?/.exec(request.url.pathname) ?? [];
    if (name === 'close') return close(id);
    const statement = statements.get(id);
    if (!statement) return refusal(404, 'NOT_FOUND', `The statement ${id} was not found.`);
    if (name === 'cancel') {
      statement.isCancelled = true;
      cancelled.add(id);
      return { status: 200, body: {} };
    }
    return name === 'chunk' ? chunkOf(id, statement, Number(chunk)) : stateOf(id, statement);
  }

  return {
    submissions,
    cancelled,
    openSessions,
    replyTo,
    withhold: (statement) => {
      const gate = Promise.withResolvers<void>();
      withheld.set(statement, gate.promise);
      return () => {
        withheld.delete(statement);
        gate.resolve();
      };
    },
    revokeTokens: () => {
      for (const token of users.keys()) if (token.startsWith('eyJ.')) users.delete(token);
    },
  };
}
