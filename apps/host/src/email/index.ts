import { isIP } from 'node:net';
import {
  type Config,
  createOutbound,
  type EmailAdapter,
  mailServerPolicy,
  readTrustedCertificates,
} from '@svc/server';
import { createSmtpAdapter, type DialMail, type SmtpSettings } from './smtp-adapter.ts';

/** Email adapter of the host, with its close function. */
export type Mail = { readonly adapter: EmailAdapter; readonly close: () => Promise<void> };

/**
 * Creates the email adapter of `Svc:Host:Smtp`; undefined without a mail server. Connections leave through the outbound
 * gateway of the service: it blocks metadata addresses and dials only checked addresses.
 *
 * @throws Error that names the inconsistent setting.
 */
export function startMail(config: Config): Mail | undefined {
  const settings = readSmtpSettings(config);
  if (!settings) return undefined;
  const { dial, close } = dialMail();
  return { adapter: createSmtpAdapter(settings, dial), close };
}

/** Creates the dialler for a mail server, with a separate outbound gateway. */
export function dialMail(): { readonly dial: DialMail; readonly close: () => Promise<void> } {
  const outbound = createOutbound();
  const policy = mailServerPolicy();
  return {
    dial: (target, { signal }) => outbound.dialSocket(target, { signal, policy }),
    close: outbound.close,
  };
}

/**
 * Checks the settings of `Svc:Host:Smtp`.
 *
 * @throws Error that names the inconsistent setting.
 */
export function checkMail(config: Config): void {
  readSmtpSettings(config);
}

/**
 * Reads the settings of `Svc:Host:Smtp`; undefined without a mail server.
 *
 * @throws Error that names the inconsistent setting.
 */
export function readSmtpSettings(config: Config): SmtpSettings | undefined {
  const host = config['Svc:Host:Smtp:Host'];
  if (host === undefined) return undefined;
  const from = config['Svc:Host:Smtp:From'];
  if (from === undefined) throw new Error('Svc:Host:Smtp:From must be set when Svc:Host:Smtp:Host is.');
  const user = config['Svc:Host:Smtp:UserName'];
  const password = config['Svc:Host:Smtp:Password'];
  if ((user === undefined) !== (password === undefined))
    throw new Error('Svc:Host:Smtp:UserName and Svc:Host:Smtp:Password must be set together.');
  const security = config['Svc:Host:Smtp:Security'] as SmtpSettings['security'];
  if (security === 'None' && user !== undefined && !isLoopback(host))
    throw new Error(
      'Svc:Host:Smtp:Security must not be None with a password: it would cross the network in the clear.',
    );
  return {
    host,
    port: config['Svc:Host:Smtp:Port'],
    security,
    login: user !== undefined && password !== undefined ? { user, password } : undefined,
    from,
    trustedCertificates: readTrustedCertificates(config['Svc:Notifications:TrustedCertificates']),
  };
}

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
