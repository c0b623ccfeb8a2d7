import { isIP, type Socket } from 'node:net';
import tls from 'node:tls';
import type { Email, EmailAdapter } from '@svc/server';
import { createTransport, type Transporter } from 'nodemailer';

/** Mail server of the adapter. */
export type SmtpSettings = {
  readonly host: string;
  readonly port: number;
  /** `StartTls` requires the upgrade, `Tls` starts with it, `None` sends unencrypted. */
  readonly security: 'StartTls' | 'Tls' | 'None';
  readonly login: { readonly user: string; readonly password: string } | undefined;
  /** Bare address of the sender. */
  readonly from: string;
  /** Trusted authorities in addition to the process's own, as PEM texts. */
  readonly trustedCertificates: readonly string[];
};

/**
 * Opens the connection to the mail server. The caller supplies it, so that the caller decides which addresses are
 * reachable.
 */
export type DialMail = (
  target: { readonly host: string; readonly port: number },
  options: { readonly signal: AbortSignal },
) => Promise<Socket>;

/** Longest silence of the mail server. The service's deadline of a delivery usually ends first. */
const silenceMaxMs = 60_000;

/**
 * Creates an email adapter for SMTP: one connection for each mail, ended by the delivery's signal. It resolves to the
 * mail's message id after the server has accepted the mail, and rejects otherwise.
 */
export function createSmtpAdapter(settings: SmtpSettings, dial: DialMail): EmailAdapter {
  return (email, signal) =>
    withTransport(settings, dial, signal, async (transport) => {
      const sent = await transport.sendMail(mailOf(email, settings.from));
      return sent.messageId;
    });
}

/**
 * Greets the mail server as a delivery does, including encryption and login. Sends nothing.
 *
 * @throws Error of the outbound gateway, of TLS or of the server, whose message may contain sent data.
 */
export const greetMailServer = (
  settings: SmtpSettings,
  dial: DialMail,
  signal: AbortSignal,
): Promise<unknown> => withTransport(settings, dial, signal, (transport) => transport.verify());

async function withTransport<T>(
  { host, port, security, login, trustedCertificates }: SmtpSettings,
  dial: DialMail,
  signal: AbortSignal,
  work: (transport: Transporter) => Promise<T>,
): Promise<T> {
  const ca =
    trustedCertificates.length === 0
      ? undefined
      : [...tls.getCACertificates('default'), ...trustedCertificates];
  const connection = await dial({ host, port }, { signal });
  const stop = () => connection.destroy(new Error('The delivery was stopped.'));
  signal.addEventListener('abort', stop, { once: true });
  const transport = createTransport({
    host,
    port,
    secure: security === 'Tls',
    requireTLS: security === 'StartTls',
    ignoreTLS: security === 'None',
    tls: { ...(isIP(host) === 0 && { servername: host }), ...(ca && { ca }) },
    ...(login && { auth: { user: login.user, pass: login.password } }),
    greetingTimeout: silenceMaxMs,
    socketTimeout: silenceMaxMs,
    getSocket: (_options, callback) => callback(null, { connection }),
    // Mails contain only the given content, never files or addresses that a text names.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    signal.throwIfAborted();
    return await work(transport);
  } finally {
    signal.removeEventListener('abort', stop);
    transport.close();
    connection.destroy();
  }
}

function mailOf({ to, subject, html, text, attachment, messageId }: Email, from: string) {
  return {
    ...(messageId !== undefined && { messageId: `<${messageId}@${from.slice(from.lastIndexOf('@') + 1)}>` }),
    // Addresses as objects are not parsed, so a text never becomes several addresses.
    from: { name: 'Svc', address: from },
    to: { name: '', address: to },
    envelope: { from, to: [to] },
    subject,
    text,
    html,
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    ...(attachment && {
      attachments: [
        {
          filename: attachment.Name,
          contentType: attachment.ContentType,
          content: Buffer.from(
            attachment.Data.buffer,
            attachment.Data.byteOffset,
            attachment.Data.byteLength,
          ),
        },
      ],
    }),
  };
}
