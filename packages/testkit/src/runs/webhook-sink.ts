import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import https from 'node:https';
import { createTestAuthority } from '../service/certificates.ts';
import type { Settings } from '../service/settings.ts';

/** Request that arrived at a sink. */
export type Received = {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
};

/**
 * Answer of a sink: a status, optionally with headers, or a misbehaviour. `cut` closes the connection, `hang` never
 * answers, `half` closes in the middle of the answer, `stuck` stops there, and `large` sends 10 MiB.
 */
export type SinkAnswer =
  | number
  | Misbehaviour
  | { readonly status: number; readonly headers: Readonly<Record<string, string>> };

const misbehaviours = ['cut', 'hang', 'half', 'stuck', 'large'] as const;
type Misbehaviour = (typeof misbehaviours)[number];
const isMisbehaviour = (answer: SinkAnswer): answer is Misbehaviour =>
  misbehaviours.some((one) => one === answer);
const largeBytes = 10 * 1024 * 1024;

function misbehave(how: Misbehaviour, response: ServerResponse): void {
  switch (how) {
    case 'cut':
      response.socket?.destroy();
      return;
    case 'hang':
      return;
    case 'half':
      response.writeHead(200, { 'content-length': '1000' }).write(sinkAnswerText);
      response.socket?.destroySoon();
      return;
    case 'stuck':
      response.writeHead(200, { 'content-length': '1000' }).write(sinkAnswerText);
      return;
    case 'large':
      response.writeHead(200).end(Buffer.alloc(largeBytes, sinkAnswerText));
  }
}

function sendAnswer(answer: SinkAnswer, response: ServerResponse): void {
  if (isMisbehaviour(answer)) {
    misbehave(answer, response);
    return;
  }
  const { status, headers } = typeof answer === 'number' ? { status: answer, headers: {} } : answer;
  response.writeHead(status, { ...headers, 'content-type': 'text/plain' }).end(sinkAnswerText);
}

async function readRequest(request: IncomingMessage): Promise<Received> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return {
    method: request.method ?? '',
    path: request.url ?? '/',
    headers: request.headers,
    text: Buffer.concat(chunks).toString('utf8'),
  };
}

/** External HTTPS endpoint that receives deliveries. */
export type WebhookSink = {
  readonly url: string;
  readonly urlOf: (path: string) => string;
  readonly host: string;
  readonly port: number;
  /** Certificate of the authority that the service must trust. */
  readonly certificate: string;
  readonly received: Received[];
  /** Number of connections, with or without requests. */
  readonly connections: () => number;
  /** Called with each complete request, before the sink answers it. */
  onReceived: (received: Received) => void | Promise<void>;
  /** Answers by path. Other paths use `answerOf`. */
  readonly answers: Map<string, SinkAnswer>;
  /** Settings that allow a service to reach the sink. */
  readonly settings: Settings;
  readonly close: () => Promise<void>;
};

/** Body of the sink's answers. No history may show it. */
export const sinkAnswerText = 'secret words of the destination';

/**
 * Starts a sink on loopback, with a certificate of a new authority.
 *
 * @param options.answersAfterMs  delay between a complete request and its answer. Default 0.
 */
export async function startWebhookSink(
  options: {
    readonly answersAfterMs?: number;
    /** Host in the certificate and the URL. Default: 127.0.0.1. */
    readonly host?: string;
    /** Returns the answer for a path that is not in `answers`. Default: 200. */
    readonly answerOf?: (path: string) => SinkAnswer;
    /** Computes the answer from the request. Takes precedence over `answers` and `answerOf`. */
    readonly respond?: (received: Received) => { readonly status: number; readonly body: string };
  } = {},
): Promise<WebhookSink> {
  const { host = '127.0.0.1', answerOf = () => 200 } = options;
  const authority = await createTestAuthority();
  const received: Received[] = [];
  const answers = new Map<string, SinkAnswer>();
  const respond = async (request: Received, response: ServerResponse) => {
    received.push(request);
    await sink.onReceived(request);
    if (options.answersAfterMs) await new Promise((resolve) => setTimeout(resolve, options.answersAfterMs));
    if (options.respond) {
      const { status, body } = options.respond(request);
      response.writeHead(status, { 'content-type': 'application/json' }).end(body);
      return;
    }
    sendAnswer(answers.get(request.path) ?? answerOf(request.path), response);
  };
  const server = https.createServer(await authority.issue(host), async (request, response) =>
    respond(await readRequest(request), response),
  );
  let connections = 0;
  server.on('connection', () => {
    connections += 1;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The sink listens on no port.');
  const loopback = ['127.0.0.0/8'];
  const url = `https://${host}:${address.port}`;
  const sink: WebhookSink = {
    url,
    urlOf: (path) => url + path,
    host,
    port: address.port,
    certificate: authority.certificate,
    received,
    connections: () => connections,
    onReceived: () => undefined,
    answers,
    settings: {
      'Svc:Notifications:TrustedCertificates': [authority.certificate],
      'Svc:Notifications:AllowedPrivateNetworks:Webhook': loopback,
      'Svc:Notifications:AllowedPrivateNetworks:ChatBlocks': loopback,
      'Svc:Notifications:AllowedPrivateNetworks:ChatCards': loopback,
      'Svc:Notifications:AllowedPrivateNetworks:IssueTracker': loopback,
      'Svc:Notifications:AllowedHosts:ChatBlocks': ['127.0.0.1'],
      'Svc:Notifications:AllowedHosts:ChatCards': ['127.0.0.1'],
      'Svc:Notifications:AllowedHosts:IssueTracker': ['127.0.0.1'],
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return sink;
}
