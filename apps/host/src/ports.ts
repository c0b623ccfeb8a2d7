import { createServer } from 'node:net';
import type { Config } from '@svc/server';
import { type Finding, fault, well } from '@svc/server/operations';
import { urlHost } from './listening-address.ts';

/** A port that a start takes, and the settings that say which. */
export type Listener = {
  readonly subject: string;
  readonly address: string;
  readonly port: number;
  readonly addressSetting: string;
  readonly portSetting: string;
};

/** The ports that a start of these settings takes; one that is 0 is any free one, and told as such. */
export function listenersOf(config: Config): readonly Listener[] {
  const service: Listener = {
    subject: 'Port',
    address: config['Svc:Host:Address'],
    port: config['Svc:Host:Port'],
    ...{ addressSetting: 'Svc:Host:Address', portSetting: 'Svc:Host:Port' },
  };
  if (!config['Svc:Telemetry:Metrics:Enabled']) return [service];
  const metrics: Listener = {
    subject: 'Metrics port',
    address: config['Svc:Telemetry:Metrics:Address'],
    port: config['Svc:Telemetry:Metrics:Port'],
    ...{
      addressSetting: 'Svc:Telemetry:Metrics:Address',
      portSetting: 'Svc:Telemetry:Metrics:Port',
    },
  };
  return [service, metrics];
}

/**
 * What keeps a start from listening; undefined where nothing does now. Listens for a moment to see it.
 *
 * Not guaranteed: that nobody takes the port in the meantime.
 */
export const whyNotListening = (listener: Pick<Listener, 'address' | 'port'>): Promise<Error | undefined> =>
  new Promise((resolve) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', resolve);
    server.listen(listener.port, listener.address, () => server.close(() => resolve(undefined)));
  });

/** A failed `listen` in words: what is in the way, and which setting to change. */
export function listenFailure(
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

type Reason = { readonly text: string; readonly remedy: string };

const answerMaxMs = 5_000;

/** Whether a start could listen, or a service does already. */
export const lookAtPorts = (config: Config): Promise<readonly Finding[]> =>
  Promise.all(listenersOf(config).map(lookAtPort));

async function lookAtPort(listener: Listener): Promise<Finding> {
  const { subject, address, port } = listener;
  if (port === 0) return well(subject, `A start takes any free port of ${address}.`);
  const origin = `http://${urlHost(address)}:${port}`;
  if (await isService(origin))
    return well(subject, `A service answers at ${origin}; a second one needs another port.`);
  const error = await whyNotListening(listener);
  if (error === undefined) return well(subject, `Port ${port} of ${address} is free for a start.`);
  const { text, remedy } = listenFailure(listener, error);
  return fault(subject, text, remedy);
}

/** Both listeners of a service have this probe, and answer it while they serve. */
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
