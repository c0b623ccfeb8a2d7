import net from 'node:net';
import type pg from 'pg';
import { openClient } from '../db/connections.ts';
import { errorText } from '../errors.ts';
import { createBackoff } from './backoff.ts';
import type { JobsLogger } from './logger.ts';

/** Default interval of heartbeat statements. A connection whose packets are lost reports no error. */
const heartbeatMsDefault = 10_000;
/** Default deadline of a heartbeat. With the interval it limits the time from loss to reconnect to 15 s. */
const answerTimeoutMsDefault = 4_000;
const connectTimeoutMs = 10_000;

/** Receives hints from other processes. */
export type Listener = {
  isConnected(): boolean;
  stop(): Promise<void>;
};

export type ListenerDeps = {
  readonly connection: pg.ClientConfig;
  readonly channel: string;
  readonly logger: JobsLogger;
  readonly onHint: (payload: string) => void;
  /** Called after each connect: hints may have been lost before. */
  readonly onConnected: () => void;
  /** Default 10 s. */
  readonly heartbeatMs?: number;
  /** Default 4 s. */
  readonly answerTimeoutMs?: number;
};

type Session = {
  readonly client: pg.Client;
  readonly socket: net.Socket;
  readonly ended: Promise<Error | null>;
};

async function openSession(deps: ListenerDeps): Promise<Session> {
  const socket = new net.Socket();
  const client = openClient({
    ...deps.connection,
    stream: () => socket,
    connectionTimeoutMillis: connectTimeoutMs,
    answerTimeoutMs: deps.answerTimeoutMs ?? answerTimeoutMsDefault,
    application_name: `${deps.connection.application_name ?? 'svc-jobs'} listener`,
  });
  const { promise: ended, resolve } = Promise.withResolvers<Error | null>();
  client.on('error', (error) => resolve(error));
  client.on('end', () => resolve(null));
  client.on('notification', (message) => deps.onHint(message.payload ?? ''));
  try {
    await client.connect();
    await client.query(`listen "${deps.channel.replaceAll('"', '""')}"`);
  } catch (error) {
    socket.destroy();
    throw error;
  }
  return { client, socket, ended };
}

/**
 * Maintains a separate connection that receives hints. Every 10 s the session must respond to a statement. A session
 * that does not is closed and reopened, after a growing delay with jitter of at least one second.
 */
export function startListener(deps: ListenerDeps): Listener {
  const { heartbeatMs = heartbeatMsDefault } = deps;
  const backoff = createBackoff();
  const stopping = Promise.withResolvers<void>();
  let isStopped = false;
  let isConnected = false;

  const pause = async (waitMs: number) => {
    const waited = Promise.withResolvers<void>();
    const timer = setTimeout(waited.resolve, waitMs);
    await Promise.race([waited.promise, stopping.promise]);
    clearTimeout(timer);
  };

  /** Sends heartbeats until the session ends or the listener is stopped. */
  const keepAlive = async (session: Session) => {
    while (!isStopped) {
      const waited = Promise.withResolvers<'beat'>();
      const timer = setTimeout(() => waited.resolve('beat'), heartbeatMs);
      const next = await Promise.race([waited.promise, session.ended, stopping.promise]);
      clearTimeout(timer);
      if (next !== 'beat') {
        if (isStopped) return;
        throw next ?? new Error("The listener's session was ended.");
      }
      await session.client.query('select 1');
    }
  };

  const run = async () => {
    while (!isStopped) {
      let session: Session | null = null;
      try {
        session = await openSession(deps);
        isConnected = true;
        backoff.reset();
        deps.onConnected();
        await keepAlive(session);
      } catch (error) {
        const waitMs = backoff.next();
        deps.logger.warn(
          { error: errorText(error), retryInMs: Math.round(waitMs) },
          'the listener lost its connection; polling goes on',
        );
        isConnected = false;
        session?.socket.destroy();
        session = null;
        await pause(waitMs);
      } finally {
        isConnected = false;
        await session?.client.end();
      }
    }
  };

  const done = run();
  return {
    isConnected: () => isConnected,
    stop: async () => {
      isStopped = true;
      stopping.resolve();
      await done;
    },
  };
}
