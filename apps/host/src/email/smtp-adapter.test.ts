import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createOutbound, type Email, loadConfig } from '@svc/server';
import { createTestAuthority, type TestAuthority } from '@svc/testkit/service/certificates.ts';
import PostalMime from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { hostileTexts } from '../../../../packages/channels/src/testing/hostile-texts.ts';
import { type Mail, startMail } from './index.ts';
import { lookAtMail } from './look.ts';
import { createSmtpAdapter } from './smtp-adapter.ts';

type Arrived = {
  readonly from: string;
  readonly to: string[];
  readonly isSecure: boolean;
  readonly raw: Buffer;
};

let authority: TestAuthority;
let certificate: Awaited<ReturnType<TestAuthority['issue']>>;
beforeAll(async () => {
  authority = await createTestAuthority();
  certificate = await authority.issue('127.0.0.1', 'localhost');
});

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});
const outbound = createOutbound();
afterAll(() => outbound.close());

/** Starts a mail server that records accepted mails. */
async function startServer(options: SMTPServerOptions = {}) {
  const arrived: Arrived[] = [];
  const server = new SMTPServer({
    ...certificate,
    authOptional: true,
    onAuth: ({ username, password }, _session, done) =>
      password === 'right' ? done(null, { user: username }) : done(new Error('no such user')),
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        arrived.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          isSecure: session.secure,
          raw: Buffer.concat(chunks),
        });
        done();
      });
    },
    ...options,
  });
  server.on('error', () => undefined);
  const listener = server.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  closing.push(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return { arrived, port: (listener.address() as AddressInfo).port };
}

const configOf = (port: number, more: Readonly<Record<string, unknown>> = {}) =>
  loadConfig({
    values: {
      'Svc:Host:Smtp:Host': '127.0.0.1',
      'Svc:Host:Smtp:Port': port,
      'Svc:Host:Smtp:From': 'svc@example.org',
      'Svc:Notifications:TrustedCertificates': [authority.certificate],
      ...more,
    },
  }).config;

function mailOf(port: number, more: Readonly<Record<string, unknown>> = {}): Mail {
  const mail = startMail(configOf(port, more));
  if (!mail) throw new Error('A mail server is configured.');
  closing.push(mail.close);
  return mail;
}

const never = new AbortController().signal;
const email: Email = {
  to: 'anna@example.org',
  subject: '[Svc] Shop - Späte Bestellungen',
  html: '<p>Zwei &amp; drei</p>',
  text: 'Zwei & drei',
  attachment: { Name: 'späte.csv', ContentType: 'text/csv; charset=utf-8', Data: Buffer.from('a,ä\r\n') },
};

describe('an email', () => {
  test('arrives over STARTTLS with both bodies, the attachment and the header Auto-Submitted', async () => {
    const { arrived, port } = await startServer();
    const messageId = await mailOf(port).adapter(email, never);
    expect(arrived).toHaveLength(1);
    const [mail] = arrived;
    expect(mail).toMatchObject({ from: 'svc@example.org', to: ['anna@example.org'], isSecure: true });
    const parsed = await PostalMime.parse(mail?.raw ?? '');
    expect(parsed).toMatchObject({
      messageId,
      subject: email.subject,
      from: { address: 'svc@example.org' },
      to: [{ address: 'anna@example.org' }],
    });
    expect(parsed.html?.trim()).toBe(email.html);
    expect(parsed.text?.trim()).toBe(email.text);
    const [file] = parsed.attachments;
    expect(file).toMatchObject({ filename: 'späte.csv', mimeType: 'text/csv' });
    expect(Buffer.from(file?.content as ArrayBuffer).toString('utf8')).toBe('a,ä\r\n');
    const headers = new Map(parsed.headers.map(({ key, value }) => [key, value]));
    expect(headers.get('auto-submitted')).toBe('auto-generated');
  });

  test('has the same Message-ID when it is sent again', async () => {
    const { arrived, port } = await startServer();
    const { adapter } = mailOf(port);
    const again = { ...email, messageId: 'run-12.3-4.0a1b2c3d4e5f' };
    const ids = [await adapter(again, never), await adapter(again, never)];
    expect(ids).toEqual(['<run-12.3-4.0a1b2c3d4e5f@example.org>', '<run-12.3-4.0a1b2c3d4e5f@example.org>']);
    const parsed = await Promise.all(arrived.map(({ raw }) => PostalMime.parse(raw)));
    expect(parsed.map(({ messageId }) => messageId)).toEqual(ids);
  });

  test('gains no header and no recipient from a hostile subject', async () => {
    const { arrived, port } = await startServer();
    const { adapter } = mailOf(port);
    const subjects = ['a\r\nBcc: eve@example.org', ...hostileTexts.slice(0, 20)];
    for (const subject of subjects) await adapter({ ...email, subject }, never);
    expect(arrived).toHaveLength(subjects.length);
    for (const { to, raw } of arrived) {
      expect(to).toEqual(['anna@example.org']);
      const { headers, bcc } = await PostalMime.parse(raw);
      expect(bcc ?? []).toEqual([]);
      expect(headers.filter(({ key }) => key === 'subject')).toHaveLength(1);
    }
  });

  test('is sent over TLS from the start, and only with a correct password', async () => {
    const { arrived, port } = await startServer({ secure: true, authOptional: false });
    const tls = { 'Svc:Host:Smtp:Security': 'Tls', 'Svc:Host:Smtp:UserName': 'svc' };
    await mailOf(port, { ...tls, 'Svc:Host:Smtp:Password': 'right' }).adapter(email, never);
    expect(arrived).toMatchObject([{ isSecure: true }]);
    await expect(
      mailOf(port, { ...tls, 'Svc:Host:Smtp:Password': 'wrong' }).adapter(email, never),
    ).rejects.toThrow();
    expect(arrived).toHaveLength(1);
  });
});

describe('the mail check of the doctor', () => {
  const look = (port: number, more: Readonly<Record<string, unknown>> = {}, timeoutMs = 10_000) =>
    lookAtMail(configOf(port, more), { timeoutMs });
  const login = { 'Svc:Host:Smtp:UserName': 'svc', 'Svc:Host:Smtp:Password': 'planted-password' };

  test('reports a server that greets, encrypts and accepts the login as Well, and sends no email', async () => {
    expect(await lookAtMail(loadConfig({}).config)).toEqual([]);
    const { arrived, port } = await startServer();
    expect(await look(port)).toEqual([
      { subject: 'Mail', state: 'Well', text: `The mail server 127.0.0.1:${port} answers.`, remedy: null },
    ]);
    expect(await look(port, { ...login, 'Svc:Host:Smtp:Password': 'right' })).toMatchObject([
      { state: 'Well', text: expect.stringContaining('and lets the service in') },
    ]);
    expect(arrived).toEqual([]);
  });

  test('describes each fault of a mail server and repeats no text of the server', async () => {
    const echo = await startServer({
      onAuth: ({ password }, _session, done) => done(new Error(`no user with ${password}`)),
    });
    expect(await look(echo.port, login)).toMatchObject([
      { state: 'Fault', text: expect.stringContaining('does not accept the user name and the password') },
    ]);
    expect(JSON.stringify(await look(echo.port, login))).not.toContain('planted');
    const plain = await startServer({ disabledCommands: ['STARTTLS'] });
    expect(await look(plain.port)).toMatchObject([
      {
        text: expect.stringContaining('offers no encryption'),
        remedy: expect.stringContaining('Svc:Host:Smtp:Security'),
      },
    ]);
    expect(await look(plain.port, { 'Svc:Host:Smtp:Security': 'Tls' })).toMatchObject([
      { text: expect.stringContaining('does not speak TLS as it is asked to') },
    ]);
    expect(await look(echo.port, { 'Svc:Notifications:TrustedCertificates': [] })).toMatchObject([
      {
        text: expect.stringMatching(
          /certificate that is not trusted: unable to verify the first certificate\.$/,
        ),
        remedy: expect.stringContaining('Svc:Notifications:TrustedCertificates'),
      },
    ]);
    const old = await startServer(await authority.issueExpired('127.0.0.1'));
    expect(await look(old.port)).toMatchObject([
      { text: expect.stringMatching(/certificate that is not trusted: certificate has expired\.$/) },
    ]);
    expect(await look(25, { 'Svc:Host:Smtp:Host': 'nowhere.invalid' })).toMatchObject([
      { text: expect.stringContaining('nowhere.invalid:25 cannot be reached') },
    ]);
  });

  test('reports a silent mail server as a fault after its time limit', async () => {
    const sockets: Socket[] = [];
    const silent = createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    closing.push(async () => {
      for (const socket of sockets) socket.destroy();
      silent.close();
    });
    expect(await look((silent.address() as AddressInfo).port, {}, 200)).toMatchObject([
      { state: 'Fault', text: expect.stringContaining('did not greet within 0.2 s') },
    ]);
  });
});

describe('an email delivery', () => {
  test('sends nothing to a server without the required encryption or with an untrusted certificate', async () => {
    const plain = await startServer({ disabledCommands: ['STARTTLS'] });
    await expect(mailOf(plain.port).adapter(email, never)).rejects.toThrow();
    const strange = await startServer();
    const strangers = { 'Svc:Notifications:TrustedCertificates': [] };
    await expect(mailOf(strange.port, strangers).adapter(email, never)).rejects.toThrow();
    expect([...plain.arrived, ...strange.arrived]).toEqual([]);
  });

  test('sends nothing if the server refuses the recipient', async () => {
    const { arrived, port } = await startServer({
      onRcptTo: (_address, _session, done) => done(new Error('no such mailbox')),
    });
    await expect(mailOf(port).adapter(email, never)).rejects.toThrow();
    expect(arrived).toEqual([]);
  });

  test('sends nothing after a temporary refusal, and reports the code of the reply', async () => {
    const refusal = Object.assign(new Error('greylisted'), { responseCode: 451 });
    const { arrived, port } = await startServer({ onRcptTo: (_address, _session, done) => done(refusal) });
    await expect(mailOf(port).adapter(email, never)).rejects.toMatchObject({ responseCode: 451 });
    expect(arrived).toEqual([]);
  });

  test('refuses a metadata address, even if the settings name it as the mail server', async () => {
    const mail = mailOf(25, { 'Svc:Host:Smtp:Host': '169.254.169.254' });
    await expect(mail.adapter(email, never)).rejects.toThrow(/not allowed|refused/i);
  });

  test('sends nothing after it has been aborted', async () => {
    const stop = new AbortController();
    const { arrived, port } = await startServer({
      onMailFrom: (_address, _session, done) => {
        stop.abort(new Error('late'));
        setTimeout(done, 50);
      },
    });
    const settings = {
      host: '127.0.0.1',
      port,
      security: 'None',
      login: undefined,
      from: 'svc@example.org',
      trustedCertificates: [],
    } as const;
    const adapter = createSmtpAdapter(settings, (target, options) => outbound.dialSocket(target, options));
    await expect(adapter(email, stop.signal)).rejects.toThrow();
    expect(arrived).toEqual([]);
  });
});

test('mail settings that contradict each other stop the start with an error that explains the conflict', () => {
  expect(startMail(loadConfig({ values: {} }).config)).toBeUndefined();
  expect(() => mailOf(25, { 'Svc:Host:Smtp:From': undefined })).toThrow('Svc:Host:Smtp:From');
  expect(() => mailOf(25, { 'Svc:Host:Smtp:UserName': 'svc' })).toThrow('Svc:Host:Smtp:Password');
  const clear = {
    'Svc:Host:Smtp:Security': 'None',
    'Svc:Host:Smtp:UserName': 'a',
    'Svc:Host:Smtp:Password': 'b',
  };
  expect(() => mailOf(25, { ...clear, 'Svc:Host:Smtp:Host': 'mail.example.org' })).toThrow('in the clear');
});
