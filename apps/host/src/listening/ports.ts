import { createServer, type Server } from 'node:net';
import type { Config } from '@svc/server';
import { type Finding, fault, well } from '@svc/server/operations';
import { urlHost } from './address.ts';

/** Address and port of a listener, with the names of their settings. */
export type Listener = {
  readonly subject: string;
  readonly address: string;
  readonly port: number;
  readonly addressSetting: string;
  readonly portSetting: string;
};

/** Returns the listeners of a start with these settings. Port 0 means any free port. */
export function listenersOf(config: Config): {
  readonly service: Listener;
  /** Undefined if no metrics are served. */
  readonly metrics: Listener | undefined;
} {
  return {
    service: {
      subject: 'Port',
      address: config['Svc:Host:Address'],
      port: config['Svc:Host:Port'],
      addressSetting: 'Svc:Host:Address',
      portSetting: 'Svc:Host:Port',
    },
    metrics: config['Svc:Telemetry:Metrics:Enabled']
      ? {
          subject: 'Metrics port',
          address: config['Svc:Telemetry:Metrics:Address'],
          port: config['Svc:Telemetry:Metrics:Port'],
          addressSetting: 'Svc:Telemetry:Metrics:Address',
          portSetting: 'Svc:Telemetry:Metrics:Port',
        }
      : undefined,
  };
}

const everyListener = (config: Config): readonly Listener[] => {
  const { service, metrics } = listenersOf(config);
  return metrics ? [service, metrics] : [service];
};

const attempt = (server: Server, { address, port }: Listener): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, address, resolve);
  });

/**
 * Starts listening.
 *
 * @throws Error that states the obstacle and the setting to change.
 */
export async function listen(server: Server, listener: Listener): Promise<void> {
  try {
    await attempt(server, listener);
  } catch (error) {
    const { text, remedy } = listenFailure(listener, error as NodeJS.ErrnoException);
    throw new Error(`${text} ${remedy}`, { cause: error });
  }
}

/**
 * Checks that a start can listen, by listening briefly on each port. Runs before the start of components that take time
 * to stop.
 *
 * Not guaranteed: another process may take a port afterwards.
 *
 * @throws Error as `listen` does.
 */
export async function requireFreePorts(config: Config): Promise<void> {
  for (const listener of everyListener(config)) await listenForAMoment(listener);
}

async function listenForAMoment(listener: Listener): Promise<void> {
  const server = createServer((socket) => socket.destroy());
  await listen(server, listener);
  await new Promise((resolve) => server.close(resolve));
}

type Reason = { readonly text: string; readonly remedy: string };

function listenFailure(
  { address, port, addressSetting, portSetting }: Listener,
  error: NodeJS.ErrnoException,
): Reason {
  switch (error.code) {
    case 'EADDRINUSE':
      return {
        text: `Port ${port} of ${address} is taken.`,
        remedy: `Stop what uses it, or choose another port with ${portSetting} (now ${port}).`,
      };
    case 'EACCES':
      return {
        text: `Port ${port} of ${address} may not be listened on.`,
        remedy: `Choose a port from 1024 with ${portSetting}, or let the user of the service listen on low ones.`,
      };
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return {
        text: `${address} is no address of this machine.`,
        remedy: `Name one with ${addressSetting}, such as 127.0.0.1, or 0.0.0.0 for all.`,
      };
    default:
      return {
        text: `Port ${port} of ${address} cannot be listened on: ${error.message}.`,
        remedy: `Look at ${addressSetting} and ${portSetting}.`,
      };
  }
}

const answerMaxMs = 5_000;

/** Checks that a start could listen, or that a service already does. */
export const lookAtPorts = (config: Config): Promise<readonly Finding[]> =>
  Promise.all(everyListener(config).map(lookAtPort));

async function lookAtPort(listener: Listener): Promise<Finding> {
  const { subject, address, port } = listener;
  if (port === 0) return well(subject, `A start takes any free port of ${address}.`);
  const origin = `http://${urlHost(address)}:${port}`;
  if (await isService(origin))
    return well(subject, `A service answers at ${origin}; a second one needs another port.`);
  try {
    await listenForAMoment(listener);
    return well(subject, `Port ${port} of ${address} is free for a start.`);
  } catch (error) {
    const { text, remedy } = listenFailure(listener, (error as Error).cause as NodeJS.ErrnoException);
    return fault(subject, text, remedy);
  }
}

/** Returns true if a service listens. Both listeners of a service answer this probe while they serve. */
async function isService(origin: string): Promise<boolean> {
  try {
    const answer = await fetch(`${origin}/livez`, {
      redirect: 'manual',
      signal: AbortSignal.timeout(answerMaxMs),
    });
    const body = new TextDecoder().decode((await answer.arrayBuffer()).slice(0, 100));
    return answer.ok && body === '{"status":"ok"}';
  } catch {
    return false;
  }
}
