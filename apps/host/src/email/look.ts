import type { Config } from '@svc/server';
import { type Finding, fault, well, whyNotTrusted } from '@svc/server/operations';
import { dialMail, readSmtpSettings } from './index.ts';
import { greetMailServer } from './smtp-adapter.ts';

/** A healthy mail server greets within a second. This limit bounds the duration of `svc doctor`. */
const answerMaxMs = 10_000;

/**
 * Greets the configured mail server as a delivery does, and sends nothing. Returns nothing without a mail server.
 *
 * The server's messages are left out: they may repeat sent data, including the password.
 */
export async function lookAtMail(
  config: Config,
  { timeoutMs = answerMaxMs }: { readonly timeoutMs?: number } = {},
): Promise<readonly Finding[]> {
  const settings = readSmtpSettings(config);
  if (!settings) return [];
  const place = `${settings.host}:${settings.port}`;
  const { dial, close } = dialMail();
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    await greetMailServer(settings, dial, signal);
    return [
      well('Mail', `The mail server ${place} answers${settings.login ? ', and lets the service in' : ''}.`),
    ];
  } catch (error) {
    const { text, remedy } = signal.aborted ? late(timeoutMs) : whyNot(error);
    return [fault('Mail', `The mail server ${place} ${text}.`, remedy)];
  } finally {
    await close();
  }
}

type Reason = { readonly text: string; readonly remedy: string };

const placeRemedy =
  'Look at Svc:Host:Smtp:Host and Svc:Host:Smtp:Port, at the server, and at firewalls between. Until then no email is sent.';
const encryptionRemedy =
  'Svc:Host:Smtp:Security is Tls for a port that begins with it (usually 465), and StartTls for one that turns to it (587 or 25).';

const late = (timeoutMs: number): Reason => ({
  text: `did not greet within ${timeoutMs / 1_000} s`,
  remedy: `${placeRemedy} ${encryptionRemedy}`,
});

function whyNot(error: unknown): Reason {
  const { code, cause } = error as NodeJS.ErrnoException;
  switch (code) {
    case 'EAUTH':
      return {
        text: 'does not accept the user name and the password',
        remedy: 'Correct Svc:Host:Smtp:UserName and Svc:Host:Smtp:Password.',
      };
    case 'ETLS':
      return { text: 'offers no encryption on this port', remedy: encryptionRemedy };
    case 'ESOCKET':
      return whyNotTrusted(error) !== undefined
        ? {
            text: `has a certificate that is not trusted: ${whyNotTrusted(error)}`,
            remedy:
              'Name its authority in Svc:Notifications:TrustedCertificates, or have the server renew its certificate; look at the clock of this machine as well.',
          }
        : { text: 'does not speak TLS as it is asked to', remedy: encryptionRemedy };
    case 'EPROTOCOL':
      return { text: 'answers, but does not greet as a mail server that takes mail', remedy: placeRemedy };
    default:
      return { text: `cannot be reached: ${reached(code, cause)}`, remedy: placeRemedy };
  }
}

const reached = (code: string | undefined, cause: unknown): string =>
  cause instanceof Error && 'code' in cause ? String(cause.code) : (code ?? 'the connection ended');
