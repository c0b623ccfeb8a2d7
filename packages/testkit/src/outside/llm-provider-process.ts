import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { contentTypeOf, failureOf, type LlmProtocol, type Said, streamOf } from './llm-protocols.ts';

/*
 * Child process: a provider of language models. The name of the model selects the behaviour: `good`, `cut`,
 * `status-429` … Text after a colon (`good:...`) is the answer; `{{key}}` in it becomes the key of the request. The model
 * `script` returns the texts that were sent to `/script`, one per call.
 */

const good = '{"answer":"yes"}';
const paths: readonly (readonly [RegExp, LlmProtocol])[] = [
  [/\/chat\/completions(\?|$)/, 'ChatCompletions'],
  [/\/responses(\?|$)/, 'Responses'],
  [/\/messages(\?|$)/, 'Messages'],
  [/\/converse-stream(\?|$)/, 'Converse'],
];

type Seen = { readonly path: string; readonly headers: object; readonly body: unknown; isClosed: boolean };
const seen: Seen[] = [];
let script: readonly string[] = [];

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString('utf8') || '{}');
}

/** Returns the keys of a request, from all headers that clients use for keys. */
const keyOf = ({ headers }: IncomingMessage): string =>
  [
    String(headers['x-api-key'] ?? headers['api-key'] ?? headers.authorization ?? '').replace(/^Bearer /, ''),
    ...[headers['x-amz-security-token'] ?? []].flat(),
  ].join(' ');

function refuse(response: ServerResponse, status: number, key: string, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  const message = `Incorrect API key provided: ${key}. Ask the vendor's desk about it.`;
  response.end(
    JSON.stringify({ type: 'error', error: { type: 'some_error', message, code: null }, message }),
  );
}

function say(response: ServerResponse, protocol: LlmProtocol, said: Said, headers = {}): void {
  response.writeHead(200, { 'content-type': contentTypeOf(protocol), ...headers });
  for (const bytes of streamOf(protocol, said)) response.write(bytes);
  response.end();
}

async function sayHalf(response: ServerResponse, protocol: LlmProtocol, said: Said, end: () => void) {
  response.writeHead(200, { 'content-type': contentTypeOf(protocol) });
  const [first, second] = streamOf(protocol, said);
  response.write(Buffer.concat([first ?? Buffer.alloc(0), second ?? Buffer.alloc(0)]));
  await delay(30);
  end();
}

const hugeMegabytes = 64;

async function sayTooMuch(response: ServerResponse, protocol: LlmProtocol): Promise<void> {
  response.writeHead(200, { 'content-type': contentTypeOf(protocol) });
  const filler = Buffer.alloc(1024 * 1024, 0x20);
  // The tests expect that the caller closes the connection before the end.
  await pipeline(Readable.from(Array.from({ length: hugeMegabytes }, () => filler)), response).catch(
    () => undefined,
  );
}

let flakyCount = 0;

async function behave(
  name: string,
  protocol: LlmProtocol,
  said: Said,
  key: string,
  response: ServerResponse,
) {
  const [, status] = /^status-(\d{3})$/.exec(name) ?? [];
  if (status !== undefined) return refuse(response, Number(status), key);
  switch (name) {
    case 'flaky':
      flakyCount += 1;
      if (flakyCount % 3 !== 0) return refuse(response, 529, key, { 'retry-after': '0' });
      return say(response, protocol, said);
    case 'patience':
      return refuse(response, 429, key, { 'retry-after': '3600' });
    case 'cut':
      return sayHalf(response, protocol, said, () => response.destroy());
    case 'stops':
      return sayHalf(response, protocol, said, () => response.end());
    case 'silent':
      return;
    case 'stalls':
      return sayHalf(response, protocol, said, () => undefined);
    case 'huge':
      return sayTooMuch(response, protocol);
    case 'redirect':
      response.writeHead(307, { location: '/elsewhere' });
      return response.end();
    case 'page':
      response.writeHead(200, { 'content-type': 'text/html' });
      return response.end(`<html>Welcome, ${key}</html>`);
    case 'echo-failure':
      response.writeHead(200, { 'content-type': contentTypeOf(protocol) });
      response.write(streamOf(protocol, said)[0]);
      return response.end(failureOf(protocol, `Not with the key ${key}, says the vendor's desk.`));
    case 'echo-headers':
      return say(response, protocol, said, { 'x-request-id': key, 'set-cookie': `key=${key}`, server: key });
    case 'echo-refusal-headers':
      return refuse(response, 401, key, { 'www-authenticate': `Bearer realm="${key}"`, 'retry-after': key });
    case 'echo-redirect':
      response.writeHead(307, { location: `/elsewhere?key=${encodeURIComponent(key)}` });
      return response.end();
    case 'echo':
      return say(response, protocol, { ...said, text: JSON.stringify({ answer: `the key is ${key}` }) });
    case 'length':
    case 'filter':
      return say(response, protocol, { ...said, end: name });
    case 'uncounted':
      return say(response, protocol, { ...said, usage: false });
    default:
      return say(response, protocol, said);
  }
}

const server = createServer(async (request, response) => {
  const path = request.url ?? '';
  if (path === '/seen') return response.end(JSON.stringify(seen));
  const body = await bodyOf(request);
  if (path === '/script') {
    script = body['texts'] as string[];
    return response.end();
  }
  const entry: Seen = { path, headers: request.headers, body, isClosed: false };
  seen.push(entry);
  response.on('close', () => {
    entry.isClosed = !response.writableFinished;
  });
  const protocol = paths.find(([shape]) => shape.test(path))?.[1];
  if (protocol === undefined) return refuse(response, 404, keyOf(request));
  const inPath = decodeURIComponent(/\/model\/([^/]+)\//.exec(path)?.[1] ?? '');
  const [name = '', ...rest] = String(body['model'] ?? inPath).split(':');
  const asTool =
    (protocol === 'Messages' && 'tools' in body) || (protocol === 'Converse' && 'toolConfig' in body);
  const [next, ...later] = name === 'script' ? script : [];
  if (next !== undefined) script = later;
  const key = keyOf(request);
  const text = next ?? (rest.length === 0 ? good : rest.join(':').replaceAll('{{key}}', key));
  await behave(name, protocol, { text, end: 'whole', usage: true, asTool }, key, response);
});

server.listen(0, '127.0.0.1', () => {
  process.send?.({ port: (server.address() as AddressInfo).port });
});
process.on('disconnect', () => process.exit());
