import net from 'node:net';
import { type Load, type LoadResult, resultOf } from './load.ts';
import { runSubject } from './subject-process.ts';

const readBytes = 65_536;
const headEnd = Buffer.from('\r\n\r\n');

/** The request as it goes over the wire. */
function requestBytes({ origin, method, path, headers, body }: Load): Buffer {
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const lines = Object.entries({ host: new URL(origin).host, ...headers, ...length });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${head}\r\n${body ?? ''}`);
}

/** Length of the answer that these bytes begin with; 0: its head is not whole yet. */
function answerLength(bytes: Buffer, status: number): number {
  const end = bytes.indexOf(headEnd);
  if (end < 0) return 0;
  const head = bytes.toString('latin1', 0, end + headEnd.length);
  const length = /\r\ncontent-length: (\d+)\r\n/i.exec(head)?.[1];
  if (!head.startsWith(`HTTP/1.1 ${status} `) || length === undefined) {
    throw new Error(`Not an answer of ${status} that tells its length: ${bytes.toString('latin1')}`);
  }
  return end + headEnd.length + Number(length);
}

/** Sends one request at a time on a connection until the time is over. */
const sendUntil = (load: Load, request: Buffer, deadline: number, latencies: number[]): Promise<void> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(load.origin);
    let sentAt = 0;
    let received: Buffer = Buffer.alloc(0);
    const send = () => {
      sentAt = performance.now();
      socket.write(request);
    };
    const take = (bytes: Buffer) => {
      received = received.length === 0 ? bytes : Buffer.concat([received, bytes]);
      const length = answerLength(received, load.status);
      if (length === 0 || received.length < length) {
        // The memory is the next read's.
        received = Buffer.from(received);
        return;
      }
      if (received.length > length) throw new Error('More came than one answer.');
      received = Buffer.alloc(0);
      const now = performance.now();
      latencies.push(now - sentAt);
      if (now < deadline) send();
      else {
        socket.destroy();
        resolve();
      }
    };
    const fail = (error: Error) => {
      socket.destroy();
      reject(error);
    };
    const buffer = Buffer.alloc(readBytes);
    const onRead = (count: number): boolean => {
      try {
        take(buffer.subarray(0, count));
      } catch (error) {
        fail(error instanceof Error ? error : new Error(String(error)));
      }
      return true;
    };
    const socket = net.connect({
      host: hostname,
      port: Number(port),
      noDelay: true,
      onread: { buffer, callback: onRead },
    });
    socket.once('connect', send);
    socket.once('error', fail);
    socket.once('end', () => fail(new Error('The connection was closed.')));
  });

/**
 * As `http-load.ts` does, with less of a client: it takes less processor time than a bare host, so that on two cores it
 * is the host that is measured.
 */
async function load(options: Load): Promise<LoadResult> {
  const latencies: number[] = [];
  const request = requestBytes(options);
  const startedAt = performance.now();
  const deadline = startedAt + options.durationMs;
  await Promise.all(
    Array.from({ length: options.connections }, () => sendUntil(options, request, deadline, latencies)),
  );
  return resultOf(latencies, performance.now() - startedAt);
}

runSubject(async () => ({ ready: {}, act: (options: Load) => load(options), stop: async () => undefined }));
