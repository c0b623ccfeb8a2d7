import { type SinkAnswer, startWebhookSink, type WebhookSink } from '@svc/testkit/runs/webhook-sink.ts';

const statusPath = /^\/status\/(\d{3})/;

const misbehaviours: readonly (readonly [path: string, answer: SinkAnswer])[] = [
  ['/hang', 'hang'],
  ['/reset', 'cut'],
  ['/half', 'half'],
  ['/slow-body', 'stuck'],
  ['/large', 'large'],
  ['/redirect', { status: 307, headers: { location: '/status/200' } }],
];

const answerOf = (path: string): SinkAnswer =>
  misbehaviours.find(([start]) => path.startsWith(start))?.[1] ?? Number(statusPath.exec(path)?.[1] ?? 200);

/** Starts a receiver on loopback for `hooks.example.com`. Some paths make it misbehave. */
export const startReceiver = (): Promise<WebhookSink> =>
  startWebhookSink({ host: 'hooks.example.com', answerOf });
